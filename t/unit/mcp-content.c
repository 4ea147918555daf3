/* SPDX-License-Identifier: Apache-2.0 */
/* What a server of the Model Context Protocol answers, as a tool's output. */
#include "cmd/wv-call/mcp-content.c"

#include "document.h"

/* What a result is: `[MEDIA]bytes`, `!` before an error; or why it is none. */
static const char *
content(const char *result)
{
	struct mcp_said said;
	struct wv_err err = WV_ERR_INIT;
	const char *text;

	if (mcp_content(&arena, json(result), &said, &err) < 0)
		text = wv_dup(&arena, err.text);
	else
		text = wv_printf(&arena, "%s%s%s%s%.*s",
			said.is_error ? "!" : "", said.media_type ? "[" : "",
			said.media_type ? said.media_type : "",
			said.media_type ? "]" : "", (int)said.bytes.n,
			said.bytes.n > 0 ? said.bytes.s : "");
	wv_str_free(&said.bytes);
	return text;
}

static void
test_content(void)
{
	is(content("{\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\"}]}"),
		"a\nb", "a text is its bytes");
	is(content("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
		   "{\"type\":\"text\",\"text\":\"\"},"
		   "{\"type\":\"text\",\"text\":\"b\"}]}"),
		"a\n\nb", "texts are lines");
	is(content("{\"content\":[]}"), "", "nothing is nothing");
	is(content("{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}],"
		   "\"structuredContent\":{\"n\":1.50,\"a\":[1]}}"),
		"[application/json]{\"n\":1.50,\"a\":[1]}",
		"structured content goes first, exact");
	is(content("{\"structuredContent\":{}}"), "[application/json]{}",
		"and may be alone");
	is(content("{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\","
		   "\"mimeType\":\"image/png\"}]}"),
		"[image/png]hi", "an image is its bytes");
	is(content("{\"content\":[{\"type\":\"audio\",\"data\":\"aGkh\","
		   "\"mimeType\":\"audio/x; rate=1\"}]}"),
		"[audio/x]hi!", "audio too, its type without parameters");
	is(content("{\"content\":[{\"type\":\"image\",\"data\":\"aA==\","
		   "\"mimeType\":\"a\\nb\"}]}"),
		"[application/octet-stream]h", "a type that is none");
	is(content("{\"content\":[{\"type\":\"resource\",\"resource\":{"
		   "\"uri\":\"x:\",\"blob\":\"\"}}]}"),
		"[application/octet-stream]", "an empty blob");
	is(content("{\"content\":[{\"type\":\"resource\",\"resource\":{"
		   "\"uri\":\"x:\",\"mimeType\":\"text/csv\","
		   "\"text\":\"a,b\"}}]}"),
		"[text/csv]a,b", "a resource that is text");
	is(content("{\"content\":[{\"type\":\"resource_link\",\"uri\":"
		   "\"file:///etc/passwd\",\"name\":\"p\"}]}"),
		"[application/json][{\"type\":\"resource_link\",\"uri\":"
		"\"file:///etc/passwd\",\"name\":\"p\"}]",
		"a link stays a link");
	is(content("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
		   "{\"type\":\"image\",\"data\":\"!\"}]}"),
		"[application/json][{\"type\":\"text\",\"text\":\"a\"},"
		"{\"type\":\"image\",\"data\":\"!\"}]",
		"a mixture is its JSON");
	is(content("{\"content\":[7]}"), "[application/json][7]",
		"so is what nobody knows");
	is(content("{\"content\":{}}"), "a result without content",
		"content of another type");
	is(content("{}"), "a result without content", "no content");
	is(content("[]"), "a result without content", "no object");
}

static void
test_base64(void)
{
	static const char *const bad[] = { "a", "=", "aGk", "aGk=\n",
		"a===", "====", "aGl=", "aH==", "a=Gk", "aGk=aGk=", "aG-_",
		"aGkh=" };
	struct wv_str text = { 0 };

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		text.n = 0;
		wv_str_cat(&text,
			"{\"content\":[{\"type\":\"image\","
			"\"data\":");
		wv_json_write_string(&text, bad[i], strlen(bad[i]));
		wv_str_cat(&text, "}]}");
		is(content(text.s), "content whose data is no base64",
			"not %zu", i);
	}
	wv_str_free(&text);
	is(content("{\"content\":[{\"type\":\"image\",\"data\":"
		   "\"QUJDREVGRw==\",\"mimeType\":\"a/b\"}]}"),
		"[a/b]ABCDEFG", "more than one block");
	is(content("{\"content\":[{\"type\":\"image\"}]}"),
		"content whose data is no base64", "none at all");
}

static void
test_errors(void)
{
	struct wv_str text = { 0 };

	is(content("{\"isError\":true,\"content\":[{\"type\":\"text\","
		   "\"text\":\"no such file\"},{\"type\":\"image\"}]}"),
		"!no such file", "an error is its texts");
	is(content("{\"isError\":true,\"content\":[],"
		   "\"structuredContent\":{\"a\":1}}"),
		"!{\"a\":1}", "or what there is");
	is(content("{\"isError\":true,\"content\":[]}"), "![]", "or nothing");
	is(content("{\"isError\":\"true\",\"content\":[]}"), "",
		"only true is true");
	mcp_error_text(&text,
		json("{\"code\":-32602,\"message\":\"bad\",\"data\":{"
		     "\"password\":\"hunter2\",\"why\":[1.0]}}"));
	ok(strstr(text.s, "error -32602: bad: {\"password\":\"[REDACTED") ==
				text.s &&
			strstr(text.s, "\"why\":[1.0]") != NULL &&
			strstr(text.s, "hunter2") == NULL,
		"an error has its data, redacted: %s", text.s);
	text.n = 0;
	mcp_error_text(&text, json("{\"message\":7}"));
	is(text.s, "error : ", "or what it is of one");
	wv_str_free(&text);
}

int
main(void)
{
	test_content();
	test_base64();
	test_errors();
	wv_arena_free(&arena);
	return done();
}
