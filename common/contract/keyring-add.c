/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include <stdio.h>
#include <string.h>

enum { MAX_POINTER = 64 };

static int
check_room(
	const struct wv_keyring *keyring, const char *kid, struct wv_err *err)
{
	const size_t *index = wv_map_find(&keyring->kids, kid);
	char pointer[MAX_POINTER];

	if (index != NULL) {
		snprintf(pointer, sizeof pointer, "/keys/%zu/kid", *index);
		return wv_doc_err(&keyring->doc, err, pointer,
			"there is a key \"%.*s\" already", WV_SIGN_SHOWN, kid);
	}
	if (keyring->doc.yaml)
		return wv_err_at(err, keyring->doc.source, 0, 0,
			"is YAML, which would lose its remarks: add the key "
			"by hand");
	if (keyring->count == WV_KEYRING_KEYS)
		return wv_doc_err(&keyring->doc, err, "/keys",
			"a keyring has at most %d keys", WV_KEYRING_KEYS);
	return 0;
}

/* All but its keys, and the brace that ends it. */
static void
write_head(struct wv_str *text, const struct wv_keyring *keyring)
{
	struct wv_arena arena = WV_ARENA_INIT;
	cJSON *head = wv_json_object(&arena), *copy;

	/* Members beside new siblings; what is in them is shared. */
	wv_json_each(member, keyring->doc.root) {
		if (strcmp(member->string, "keys") == 0)
			continue;
		copy = wv_alloc(&arena, sizeof *copy);
		*copy = *member;
		wv_push(head, copy);
	}
	wv_json_write(text, head);
	text->n--;
	if (head->child != NULL)
		wv_str_chr(text, ',');
	wv_arena_free(&arena);
}

static void
write_entry(
	struct wv_str *text, const char *kid, const struct wv_signer *signer)
{
	wv_str_cat(text, "{\"kid\":");
	wv_json_write_string(text, kid, strlen(kid));
	wv_str_fmt(text, ",\"alg\":\"%s\",\"public_key_b64url\":\"",
		wv_signer_alg(signer));
	wv_signer_public(signer, text);
	wv_str_cat(text, "\"}");
}

int
wv_keyring_add(const struct wv_keyring *keyring, const char *kid,
	const struct wv_signer *signer, struct wv_str *text, struct wv_err *err)
{
	static const struct wv_keyring none;
	size_t before = text->n;

	if (keyring == NULL)
		keyring = &none;
	if (check_room(keyring, kid, err) != 0)
		return -1;
	write_head(text, keyring);
	wv_str_cat(text, "\"keys\":[\n");
	for (size_t i = 0; i < keyring->count; i++) {
		wv_json_write(text, keyring->keys[i].entry);
		wv_str_cat(text, ",\n");
	}
	write_entry(text, kid, signer);
	wv_str_cat(text, "\n]}\n");
	if (text->n - before <= WV_KEYRING_BYTES)
		return 0;
	return wv_err_at(err, keyring->doc.source, 0, 0,
		"a keyring has at most %d bytes", WV_KEYRING_BYTES);
}
