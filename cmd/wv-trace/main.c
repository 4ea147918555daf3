/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/id.h"
#include "base/msg.h"
#include "base/str.h"

#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
} subcommands[] = {
	{ "append", append_main },
	{ "verify", verify_main },
	{ "seal", seal_main },
	{ "rotate", rotate_main },
	{ "recover", recover_main },
	{ "explain", explain_main },
	{ "bundle", bundle_main },
	{ "otel", otel_main },
};

enum { COUNT = sizeof(subcommands) / sizeof(subcommands[0]) };

/* A file is meant, unless there is none and a subcommand is close. */
static void
check_first(const char *word)
{
	const char *names[COUNT + 1] = { NULL };

	for (size_t i = 0; i < COUNT; i++)
		names[i] = subcommands[i].name;
	const char *nearest = wv_nearest(word, names);
	if (word[0] != '-' && nearest != NULL && access(word, F_OK) < 0)
		wv_die("no file and no subcommand '%s'; did you mean '%s'?",
			word, nearest);
}

int
main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;

	wv_msg_tool("wv-trace");
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	for (size_t i = 0; i < COUNT && argc > 1; i++)
		if (strcmp(argv[1], subcommands[i].name) == 0)
			return subcommands[i].main(argc - 1, argv + 1);
	if (argc > 1)
		check_first(argv[1]);
	return query_main(argc, argv);
}
