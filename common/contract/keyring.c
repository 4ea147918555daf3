/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include "base/file.h"
#include "contract/crypto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_KID = 256, /* bytes */
	MAX_POINTER = 64,
};

/* The text of a member of entry i, and where it stands. */
static const char *
entry_text(const struct wv_keyring *keyring, size_t i, const cJSON *entry,
	const char *name, char pointer[MAX_POINTER], struct wv_err *err)
{
	const char *text = wv_get_string(entry, name);

	snprintf(pointer, MAX_POINTER, "/keys/%zu/%s", i, name);
	if (text != NULL && text[0] != '\0')
		return text;
	wv_doc_err(&keyring->doc, err, pointer,
		"a key needs %s, a string that is not empty", name);
	return NULL;
}

static int
read_kid(struct wv_keyring *keyring, size_t i, const cJSON *entry,
	struct wv_err *err)
{
	char pointer[MAX_POINTER];
	const char *kid = entry_text(keyring, i, entry, "kid", pointer, err);

	if (kid == NULL)
		return -1;
	if (strlen(kid) > MAX_KID)
		return wv_doc_err(&keyring->doc, err, pointer,
			"a kid has at most %d bytes", MAX_KID);
	if (*wv_map_add(&keyring->kids, kid, i) != i)
		return wv_doc_err(&keyring->doc, err, pointer,
			"there is a key \"%.*s\" already", WV_SIGN_SHOWN, kid);
	return 0;
}

static int
read_public(struct wv_keyring *keyring, size_t i, const cJSON *entry,
	struct wv_err *err)
{
	struct wv_err why = WV_ERR_INIT;
	char pointer[MAX_POINTER];
	const struct wv_alg *alg;
	const char *text;

	text = entry_text(keyring, i, entry, "alg", pointer, err);
	if (text == NULL)
		return -1;
	alg = wv_alg_find(text);
	if (alg == NULL)
		return wv_doc_err(&keyring->doc, err, pointer,
			"alg \"%.*s\" is none of %s", WV_SIGN_SHOWN, text,
			wv_alg_names);
	text = entry_text(keyring, i, entry, "public_key_b64url", pointer, err);
	if (text == NULL)
		return -1;
	if (wv_key_read(&keyring->keys[i], alg, text, &why) != 0)
		return wv_doc_err(&keyring->doc, err, pointer, "%s", why.text);
	return 0;
}

static int
read_key(struct wv_keyring *keyring, size_t i, const cJSON *entry,
	struct wv_err *err)
{
	struct wv_key *key = &keyring->keys[i];
	char pointer[MAX_POINTER];

	key->entry = entry;
	snprintf(pointer, sizeof pointer, "/keys/%zu", i);
	if (read_kid(keyring, i, entry, err) != 0 ||
		read_public(keyring, i, entry, err) != 0)
		return -1;
	return wv_key_limits_read(
		&key->limits, &keyring->doc, pointer, entry, err);
}

/* A member that is not known could be meant to forbid something. */
static int
check_members(const struct wv_keyring *keyring, struct wv_err *err)
{
	const struct wv_doc *doc = &keyring->doc;

	if (!wv_is_array(wv_get(doc->root, "keys")))
		return wv_doc_err(doc, err, "",
			"a keyring is an object with keys, an array");
	wv_json_each(member, doc->root) {
		if (strcmp(member->string, "keys") == 0 ||
			strncmp(member->string, "x_", 2) == 0)
			continue;
		struct wv_str pointer = { 0 };
		wv_pointer_add(&pointer, member->string);
		wv_doc_err(doc, err, pointer.s,
			"a keyring has no member \"%.*s\"", WV_SIGN_SHOWN,
			member->string);
		wv_str_free(&pointer);
		return -1;
	}
	return 0;
}

static int
read_keys(struct wv_keyring *keyring, struct wv_err *err)
{
	const cJSON *keys = wv_get(keyring->doc.root, "keys");
	size_t count = wv_count(keys);

	if (count > WV_KEYRING_KEYS)
		return wv_doc_err(&keyring->doc, err, "/keys",
			"a keyring has at most %d keys", WV_KEYRING_KEYS);
	keyring->keys = wv_xcalloc(count + 1, sizeof *keyring->keys);
	wv_json_each(entry, keys) {
		if (read_key(keyring, keyring->count++, entry, err) != 0)
			return -1;
	}
	return 0;
}

static int
read_file(struct wv_keyring *keyring, const char *path, struct wv_err *err)
{
	size_t len;
	char *text = wv_file_read(
		&keyring->arena, path, WV_KEYRING_BYTES, &len, err);

	if (text == NULL ||
		wv_doc_parse(&keyring->doc, &keyring->arena, path, text, len,
			err) != 0)
		return -1;
	/* Errors outlive the document's copy. */
	keyring->doc.source = path;
	if (check_members(keyring, err) != 0)
		return -1;
	return read_keys(keyring, err);
}

struct wv_keyring *
wv_keyring_load(const char *path, struct wv_err *err)
{
	struct wv_keyring *keyring;

	if (wv_crypto_start(err) != 0)
		return NULL;
	keyring = wv_xcalloc(1, sizeof *keyring);
	if (read_file(keyring, path, err) == 0)
		return keyring;
	wv_keyring_free(keyring);
	return NULL;
}

void
wv_keyring_free(struct wv_keyring *keyring)
{
	if (keyring == NULL)
		return;
	for (size_t i = 0; i < keyring->count; i++)
		wv_key_free(&keyring->keys[i]);
	free(keyring->keys);
	wv_map_free(&keyring->kids);
	wv_arena_free(&keyring->arena);
	free(keyring);
}

const struct wv_key *
wv_keyring_find(const struct wv_keyring *keyring, const char *kid)
{
	const size_t *index = keyring ? wv_map_find(&keyring->kids, kid) : NULL;

	return index ? &keyring->keys[*index] : NULL;
}

const cJSON *
wv_keyring_entry(const struct wv_keyring *keyring, const char *kid)
{
	const struct wv_key *key = wv_keyring_find(keyring, kid);

	return key ? key->entry : NULL;
}
