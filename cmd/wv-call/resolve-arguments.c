/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of wv.handle.resolve. */
#include "resolve.h"

#include "json/num.h"

#define POSITION "{\"type\":\"integer\",\"minimum\":1}"
#define MEMBERS(members) \
	"{\"type\":\"object\",\"additionalProperties\":false,\"properties\":" \
	"{" members "}"

/* With handle_id at most one other. */
const char resolve_schema[] = MEMBERS(
	"\"handle_id\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":256},"
	"\"head\":" POSITION ","
	"\"lines\":" MEMBERS(
		"\"first\":" POSITION
		",\"last\":" POSITION) ",\"required\":[\"first\"]},"
				       "\"pointer\":{\"type\":\"string\","
				       "\"maxLength\":4096,"
				       "\"pattern\":\"^(/([^~]|~[01])*)?$\"},"
				       "\"rows\":" MEMBERS(
					       "\"first\":" POSITION
					       ",\"count\":" POSITION ","
					       "\"fields\":{\"type\":\"array\","
					       "\"minItems\":1,\"maxItems\":64,"
					       "\"items\":{\"type\":\"string\"}"
					       "}") ",\"required\":[\"first\"]}"
						    ","
						    "\"grep\":" MEMBERS(
							    "\"pattern\":{"
							    "\"type\":"
							    "\"string\","
							    "\"minLength\":1,"
							    "\"maxLength\":"
							    "1024},\"ignore_"
							    "case\":{\"type\":"
							    "\"boolean\"},"
							    "\"max\":" POSITION) ",\"required\":[\"pattern\"]}") ",\"required\":[\"handle_id\"],\"maxProperties\":2}";

static uint64_t
position(const cJSON *arguments, const char *name, uint64_t otherwise)
{
	const cJSON *value = wv_get(arguments, name);
	int64_t n;

	if (value == NULL)
		return otherwise;
	/* The schema has seen to it that it is an integer from 1 on. */
	return wv_num_int64(value, &n) ? (uint64_t)n : INT64_MAX;
}

static void
at_most(struct selector *selector, uint64_t most)
{
	if (most < selector->most)
		selector->most = (size_t)most;
}

void
selector_read(struct selector *selector, const cJSON *arguments)
{
	const cJSON *given;

	selector->what = SELECT_LINES;
	selector->first = 1;
	selector->last = position(arguments, "head", UINT64_MAX);
	if ((given = wv_get(arguments, "lines")) != NULL) {
		selector->first = position(given, "first", 1);
		selector->last = position(given, "last", UINT64_MAX);
	} else if ((given = wv_get(arguments, "pointer")) != NULL) {
		selector->what = SELECT_POINTER;
		selector->pointer = given->valuestring;
	} else if ((given = wv_get(arguments, "rows")) != NULL) {
		selector->what = SELECT_ROWS;
		selector->first = position(given, "first", 1);
		selector->fields = wv_get(given, "fields");
		at_most(selector, position(given, "count", UINT64_MAX));
	} else if ((given = wv_get(arguments, "grep")) != NULL) {
		const cJSON *text = wv_get(given, "pattern");
		selector->what = SELECT_GREP;
		selector->text = text->valuestring;
		selector->text_length = (size_t)text->valueint;
		selector->ignore_case =
			wv_is_true(wv_get(given, "ignore_case"));
		at_most(selector, position(given, "max", UINT64_MAX));
	}
}
