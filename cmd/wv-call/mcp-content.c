/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp-content.h"

#include "firewall/firewall.h"

#include <string.h>

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* RFC 4648 section 4 with its padding, and nothing else. */
static bool
read_base64(struct wv_str *out, const char *s, size_t n)
{
	char *to = wv_str_room(out, n / 4 * 3);
	uint32_t bits = 0;
	size_t pad = 0;

	if (n % 4 != 0)
		return false;
	if (n > 0 && s[n - 1] == '=')
		pad = 1 + (s[n - 2] == '=');
	for (size_t i = 0; i < n - pad; i++) {
		int value = base64_value(s[i]);
		if (value < 0)
			return false;
		bits = bits << 6 | (uint32_t)value;
		if (i % 4 == 3) {
			*to++ = (char)(bits >> 16);
			*to++ = (char)(bits >> 8);
			*to++ = (char)bits;
		}
	}
	/* Of the last digit, what belongs to no byte. */
	if ((bits & (pad == 2 ? 15 : pad == 1 ? 3 : 0)) != 0)
		return false;
	if (pad == 2)
		*to++ = (char)(bits >> 4);
	if (pad == 1) {
		*to++ = (char)(bits >> 10);
		*to++ = (char)(bits >> 2);
	}
	out->n = (size_t)(to - out->s);
	*to = '\0';
	return true;
}

/* TYPE/SUBTYPE without parameters, or NULL if that is not what it is. */
static const char *
media_type(struct wv_arena *arena, const cJSON *object)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789!#$&^_.+-";
	const char *text = wv_get_string(object, "mimeType");
	size_t type = text != NULL ? strspn(text, name) : 0;
	size_t n = type > 0 && text[type] == '/'
		? type + 1 + strspn(text + type + 1, name)
		: 0;

	if (n <= type + 1 || n > 127 || strchr("; ", text[n]) == NULL)
		return NULL;
	return wv_dupn(arena, text, n);
}

static int
take_bytes(struct wv_arena *arena, const cJSON *object, const char *name,
	struct mcp_said *said, struct wv_err *err)
{
	const cJSON *data = wv_get(object, name);

	if (!wv_is_string(data) ||
		!read_base64(&said->bytes, data->valuestring,
			(size_t)data->valueint))
		return wv_err_set(err, "content whose %s is no base64", name);
	said->media_type = media_type(arena, object);
	if (said->media_type == NULL)
		said->media_type = "application/octet-stream";
	return 1;
}

/* 1: the only item of the content stands for itself; 0: it does not. */
static int
take_only(struct wv_arena *arena, const cJSON *item, struct mcp_said *said,
	struct wv_err *err)
{
	const char *type = wv_get_string(item, "type");
	const cJSON *resource = wv_get(item, "resource");

	if (type == NULL)
		return 0;
	if (strcmp(type, "image") == 0 || strcmp(type, "audio") == 0)
		return take_bytes(arena, item, "data", said, err);
	if (strcmp(type, "resource") != 0)
		return 0;
	if (wv_get(resource, "blob") != NULL)
		return take_bytes(arena, resource, "blob", said, err);
	if (!wv_is_string(wv_get(resource, "text")))
		return 0;
	wv_json_bytes(wv_get(resource, "text"), &said->bytes);
	said->media_type = media_type(arena, resource);
	return 1;
}

static const cJSON *
text_of(const cJSON *item)
{
	const char *type = wv_get_string(item, "type");
	const cJSON *text = wv_get(item, "text");

	return type != NULL && strcmp(type, "text") == 0 && wv_is_string(text)
		? text
		: NULL;
}

static bool
take_texts(const cJSON *content, bool only, struct wv_str *out)
{
	bool any = false;

	wv_json_each(item, content) {
		if (only && text_of(item) == NULL)
			return false;
	}
	wv_json_each(item, content) {
		if (text_of(item) == NULL)
			continue;
		if (any)
			wv_str_chr(out, '\n');
		wv_json_bytes(text_of(item), out);
		any = true;
	}
	return only || any;
}

/* What is said goes into a message: what its form hides from one who reads
 * words is redacted while the form is known. */
static void
add_redacted(struct wv_str *out, const struct wv_str *raw)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_findings findings = { 0 };
	struct wv_str text = { 0 };

	wv_str_add(&text, raw->s, raw->n);
	*wv_str_room(&text, WV_JSON_SLACK) = '\0';
	if (text.n > 0)
		wv_firewall_text(out, &arena, text.s, text.n, NULL, &findings);
	wv_str_free(&text);
	wv_arena_free(&arena);
}

static void
take_error(const cJSON *content, const cJSON *structured, struct wv_str *out)
{
	struct wv_str raw = { 0 };

	if (!take_texts(content, false, &raw))
		wv_json_write(&raw, structured != NULL ? structured : content);
	add_redacted(out, &raw);
	wv_str_free(&raw);
}

int
mcp_content(struct wv_arena *arena, const cJSON *result, struct mcp_said *said,
	struct wv_err *err)
{
	const cJSON *structured = wv_get(result, "structuredContent");
	const cJSON *content = wv_get(result, "content");
	int taken = 0;

	*said = (struct mcp_said){ .is_error = wv_is_true(
					   wv_get(result, "isError")) };
	if (!wv_is_array(content) && (content != NULL || structured == NULL))
		return wv_err_set(err, "a result without content");
	if (said->is_error) {
		take_error(content, structured, &said->bytes);
		return 0;
	}
	if (structured != NULL) {
		wv_json_write(&said->bytes, structured);
		said->media_type = "application/json";
		return 0;
	}
	if (take_texts(content, true, &said->bytes))
		return 0;
	if (content->child->next == NULL)
		taken = take_only(arena, content->child, said, err);
	if (taken == 0) {
		wv_json_write(&said->bytes, content);
		said->media_type = "application/json";
	}
	return taken < 0 ? -1 : 0;
}

void
mcp_error_text(struct wv_str *out, const cJSON *error)
{
	const char *message = wv_get_string(error, "message");
	const cJSON *code = wv_get(error, "code"),
		    *data = wv_get(error, "data");
	struct wv_str raw = { 0 };

	wv_str_cat(out, "error ");
	if (wv_is_number(code))
		wv_json_write(out, code);
	wv_str_cat(out, ": ");
	wv_str_cat(&raw, message != NULL ? message : "");
	add_redacted(out, &raw);
	if (data != NULL) {
		wv_str_cat(out, ": ");
		raw.n = 0;
		wv_json_write(&raw, data);
		add_redacted(out, &raw);
	}
	wv_str_free(&raw);
}
