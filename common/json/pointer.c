/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include <string.h>

bool
wv_step_next(struct wv_step *token, const char **pointer)
{
	if (**pointer != '/')
		return false;
	token->s = *pointer + 1;
	token->n = strcspn(token->s, "/");
	*pointer = token->s + token->n;
	return true;
}

bool
wv_step_is(const struct wv_step *token, const char *name)
{
	const char *p = token->s, *end = p + token->n;

	for (; p < end; p++, name++) {
		char c = *p;
		if (c == '~') {
			if (++p == end || (*p != '0' && *p != '1'))
				return false;
			c = *p == '0' ? '~' : '/';
		}
		if (c != *name)
			return false;
	}
	return *name == '\0';
}

size_t
wv_step_index(const struct wv_step *token)
{
	size_t index = 0;

	if (token->n == 0 || (token->s[0] == '0' && token->n > 1))
		return SIZE_MAX;
	for (size_t i = 0; i < token->n; i++) {
		if (!wv_json_is_digit(token->s[i]) || index > SIZE_MAX / 10 - 1)
			return SIZE_MAX;
		index = index * 10 + (size_t)(token->s[i] - '0');
	}
	return index;
}

static cJSON *
step(const cJSON *node, const struct wv_step *token)
{
	size_t index = 0;

	if (wv_is_object(node)) {
		wv_json_each(member, node)
			if (wv_step_is(token, member->string))
				return member;
	} else if (wv_is_array(node)) {
		index = wv_step_index(token);
		wv_json_each(element, node)
			if (index-- == 0)
				return element;
	}
	return NULL;
}

cJSON *
wv_pointer(const cJSON *root, const char *pointer)
{
	struct wv_step token;
	const cJSON *node = root;

	while (node != NULL && wv_step_next(&token, &pointer))
		node = step(node, &token);
	return *pointer == '\0' ? (cJSON *)node : NULL;
}

void
wv_pointer_add(struct wv_str *pointer, const char *name)
{
	wv_str_chr(pointer, '/');
	for (;;) {
		size_t n = strcspn(name, "~/");
		wv_str_add(pointer, name, n);
		name += n;
		if (*name == '\0')
			return;
		wv_str_cat(pointer, *name++ == '~' ? "~0" : "~1");
	}
}
