/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/system.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "json/doc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER WV_SYSCONFDIR "/wv"
#define FILE_NAME "wv.yaml"
#define FILE_PATH FOLDER "/" FILE_NAME

enum { MAX_BYTES = 64 << 10 };

/* Whoever may write here can fix another state, or nothing at all. */
static int
check_roots(int fd, mode_t type, const char *path, struct wv_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return wv_err_sys(err, "%s", path);
	if (S_ISLNK(st.st_mode))
		return wv_err_set(err, "%s is a symbolic link", path);
	if ((st.st_mode & S_IFMT) != type)
		return wv_err_set(err, "%s is not a %s", path,
			type == S_IFDIR ? "folder" : "regular file");
	if (st.st_uid != 0)
		return wv_err_set(err, "%s belongs to user %ju, not to root",
			path, (uintmax_t)st.st_uid);
	if (st.st_mode & 022)
		return wv_err_set(err,
			"others than root can write to %s (mode %04o)", path,
			(unsigned)st.st_mode & 07777);
	return 0;
}

/* -1 also, without an error, where there is nothing of that name. */
static int
open_at(int dir, const char *name, int flags, mode_t type, const char *path,
	struct wv_err *err)
{
	int fd = openat(dir, name, flags | O_CLOEXEC);

	if (fd < 0 && errno == ELOOP)
		wv_err_set(err, "%s is a symbolic link", path);
	else if (fd < 0 && errno != ENOENT)
		wv_err_sys(err, "%s", path);
	else if (fd >= 0 && check_roots(fd, type, path, err) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int
open_file(struct wv_err *err)
{
	int above, folder = -1, fd = -1;

	/* How it is reached is the administrator's; a machine without our
	 * folder need not be judged at all. */
	above = open(WV_SYSCONFDIR, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (above < 0 && errno != ENOENT)
		return wv_err_sys(err, WV_SYSCONFDIR);
	if (above >= 0)
		folder = open_at(
			above, "wv", O_PATH | O_NOFOLLOW, S_IFDIR, FOLDER, err);
	if (folder >= 0 && check_roots(above, S_IFDIR, WV_SYSCONFDIR, err) == 0)
		fd = open_at(folder, FILE_NAME,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK, S_IFREG, FILE_PATH,
			err);
	if (folder >= 0)
		close(folder);
	if (above >= 0)
		close(above);
	return fd;
}

static int
read_all(int fd, struct wv_str *text, struct wv_err *err)
{
	ssize_t n;

	do {
		n = read(fd, wv_str_room(text, MAX_BYTES + 1), MAX_BYTES + 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wv_err_sys(err, FILE_PATH);
		text->n += (size_t)n;
		if (text->n > MAX_BYTES)
			return wv_err_set(err, "%s has more than %d bytes",
				FILE_PATH, MAX_BYTES);
	} while (n != 0);
	return 0;
}

static void
fill(struct wv_system *system, struct wv_arena *arena, const cJSON *root)
{
	const cJSON *catalog = wv_get(root, "catalog");

	if (wv_is_string(catalog)) {
		cJSON *list = wv_json_array(arena);
		wv_push(list, wv_json_copy(arena, catalog));
		catalog = list;
	}
	*system = (struct wv_system){
		.path = FILE_PATH,
		.state = wv_get_string(root, "state"),
		.policy = wv_get_string(root, "policy"),
		.keyring = wv_get_string(root, "keyring"),
		.tools = wv_get_string(root, "tools"),
		.lock = wv_get_string(root, "lock"),
		.catalog = catalog,
		.require_signed = wv_is_true(wv_get(root, "require_signed")),
	};
}

static void
load(struct wv_system *system)
{
	static struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	struct wv_doc doc;
	int fd = open_file(&err);

	if (fd >= 0 && read_all(fd, &text, &err) == 0 &&
		wv_doc_parse(&doc, &arena, FILE_PATH, text.s, text.n, &err) ==
			0 &&
		wv_config_check(&doc, "system", &err) == 0)
		fill(system, &arena, doc.root);
	if (wv_err_is_set(&err))
		wv_die_err(&err);
	if (fd >= 0)
		close(fd);
	wv_str_free(&text);
}

const struct wv_system *
wv_system(void)
{
	static struct wv_system system;
	static bool loaded;

	if (!loaded)
		load(&system);
	loaded = true;
	return &system;
}

static void
check_same(const char *fixed, const char *name, const char *value)
{
	if (value != NULL && strcmp(value, fixed) != 0)
		wv_die("%s is \"%s\", but " FILE_PATH " fixes \"%s\"", name,
			value, fixed);
}

const char *
wv_system_choose(const char *fixed, const char *option, const char *given,
	const char *variable)
{
	const char *env = variable != NULL ? getenv(variable) : NULL;

	if (env != NULL && *env == '\0')
		env = NULL;
	if (fixed == NULL)
		return given != NULL ? given : env;
	check_same(fixed, option, given);
	check_same(fixed, variable, env);
	return fixed;
}
