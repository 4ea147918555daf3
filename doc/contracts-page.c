/* SPDX-License-Identifier: Apache-2.0 */
/* Writes wv-contracts(5) from the schemas that are built in. */
#include "contract/contract.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 68 }; /* of an example */

static struct wv_arena arena;

static cJSON *
root_of(int type)
{
	const char *text = wv_contract_schema((enum wv_contract)type);
	struct wv_doc doc;

	if (wv_doc_parse(&doc, &arena, "schema", text, strlen(text), NULL) != 0)
		return NULL;
	return doc.root;
}

/* A sentence a line, as mdoc wants it. */
static void
print_text(const char *text)
{
	for (; *text != '\0'; text++) {
		putchar(*text);
		if ((*text == '.' || *text == '?') && text[1] == ' ') {
			putchar('\n');
			text++;
		}
	}
	putchar('\n');
}

/* What a $ref names, "" if schema is none. */
static const char *
title_of(const cJSON *schema)
{
	const char *uri = wv_get_string(schema, "$ref");

	for (int i = 0; uri != NULL && i < WV_CONTRACT_COUNT; i++) {
		enum wv_contract type = (enum wv_contract)i;
		if (strcmp(wv_contract_id(type), uri) == 0)
			return wv_contract_title(type);
	}
	return "";
}

static const char *type_of(const cJSON *schema);

static const char *
type_of_branches(const cJSON *branches)
{
	const char *text = type_of(branches->child);

	wv_json_each(branch, branches)
		if (branch != branches->child)
			text = wv_printf(
				&arena, "%s or %s", text, type_of(branch));
	return text;
}

static const char *
type_word(const cJSON *schema, const char *type)
{
	const char *format = wv_get_string(schema, "format");
	const cJSON *values = wv_get(schema, "additionalProperties");

	if (strcmp(type, "string") == 0 && format != NULL)
		return format;
	if (strcmp(type, "array") == 0)
		return wv_printf(&arena, "array of %s",
			type_of(wv_get(schema, "items")));
	if (strcmp(type, "object") == 0 && wv_is_object(values))
		return wv_printf(&arena, "object of %s", type_of(values));
	return type;
}

/* "string", "array of SelectableItem", "integer or null". */
static const char *
type_of(const cJSON *schema)
{
	const cJSON *type = wv_get(schema, "type");
	const char *text = NULL;

	if (wv_get(schema, "anyOf") != NULL)
		return type_of_branches(wv_get(schema, "anyOf"));
	if (wv_get(schema, "allOf") != NULL)
		return type_of_branches(wv_get(schema, "allOf"));
	if (type == NULL)
		return title_of(schema);
	if (wv_is_string(type))
		return type_word(schema, type->valuestring);
	wv_json_each(one, type) {
		const char *word = type_word(schema, one->valuestring);
		text = text ? wv_printf(&arena, "%s or %s", text, word) : word;
	}
	return text;
}

static const char *
json(const cJSON *value)
{
	struct wv_str text = { 0 };
	const char *copy;

	if (wv_is_string(value))
		return value->valuestring;
	wv_json_write(&text, value);
	copy = wv_dup(&arena, text.s);
	wv_str_free(&text);
	return copy;
}

/* That null is one of them stands in the type. */
static void
print_values(const cJSON *values)
{
	const char *before = wv_count(values) > 1 ? "One of" : "Always";

	wv_json_each(value, values) {
		if (wv_is_null(value))
			continue;
		printf("%s\n.Ql %s", before, json(value));
		before = " ,";
	}
	if (values != NULL)
		puts(" .");
}

/* "From 1 to 20 items.", "At least 1 item.", "At least 0." */
static void
print_range(const cJSON *schema, const char *low, const char *high,
	const char *unit)
{
	const cJSON *min = wv_get(schema, low), *max = wv_get(schema, high);
	const char *text;

	if (min == NULL)
		return;
	text = json(min);
	if (max != NULL)
		printf("From %s to %s", text, json(max));
	else
		printf("At least %s", text);
	if (unit[0] != '\0')
		printf(" %s%s", unit,
			max == NULL && strcmp(text, "1") == 0 ? "" : "s");
	puts(".");
}

static void
print_constraints(const cJSON *schema)
{
	const cJSON *constant = wv_get(schema, "const");
	const cJSON *fallback = wv_get(schema, "default");
	const char *pattern = wv_get_string(schema, "pattern");

	print_values(wv_get(schema, "enum"));
	if (constant != NULL)
		printf("Always\n.Ql %s .\n", json(constant));
	if (pattern != NULL)
		printf("Matches\n.Ql %s .\n", pattern);
	else if (wv_get(schema, "minLength") != NULL)
		puts("Not empty.");
	print_range(schema, "minimum", "maximum", "");
	print_range(schema, "minItems", "maxItems", "item");
	if (wv_get(wv_get(schema, "items"), "minLength") != NULL)
		puts("None is empty.");
	if (fallback != NULL)
		printf("Default:\n.Ql %s .\n", json(fallback));
}

static bool
is_required(const cJSON *schema, const char *name)
{
	wv_json_each(one, wv_get(schema, "required"))
		if (strcmp(one->valuestring, name) == 0)
			return true;
	return false;
}

/* Items that are no contract have their members described in place. */
static void
print_members(const cJSON *schema)
{
	puts(".Bl -tag -width Ds");
	wv_json_each(member, wv_get(schema, "properties")) {
		const cJSON *items = wv_get(member, "items");
		printf(".It Ic %s : No %s%s\n", member->string, type_of(member),
			is_required(schema, member->string) ? ", required"
							    : "");
		print_text(wv_get_string(member, "description"));
		print_constraints(member);
		if (wv_get(items, "properties") != NULL)
			print_members(items);
	}
	puts(".El");
}

static bool
refers(const cJSON *schema, const char *title)
{
	const cJSON *branches = wv_get(schema, "anyOf");

	if (branches == NULL)
		branches = wv_get(schema, "allOf");
	if (branches != NULL)
		schema = branches->child;
	if (wv_get(schema, "items") != NULL)
		schema = wv_get(schema, "items");
	return strcmp(title_of(schema), title) == 0;
}

/* The members of other contracts that are of this type. */
static void
print_holders(enum wv_contract type)
{
	const char *separator = "Stands in\n.Ql ";

	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		wv_json_each(member, wv_get(root_of(i), "properties")) {
			if (!refers(member, wv_contract_title(type)))
				continue;
			printf("%s%s.%s", separator,
				wv_contract_title((enum wv_contract)i),
				member->string);
			separator = " ,\n.Ql ";
		}
	}
	if (separator[0] == ' ')
		puts(" .");
}

static void
print_json(const cJSON *value, int indent, const char *end)
{
	bool is_object = wv_is_object(value);
	struct wv_str text = { 0 };

	wv_json_write(&text, value);
	if (indent + (int)text.n <= WIDTH || value->child == NULL) {
		printf("%s%s\n", text.s, end);
		wv_str_free(&text);
		return;
	}
	wv_str_free(&text);
	puts(is_object ? "{" : "[");
	wv_json_each(one, value) {
		printf("%*s", indent + 2, "");
		if (is_object)
			printf("\"%s\": ", one->string);
		print_json(one, indent + 2, one->next ? "," : "");
	}
	printf("%*s%c%s\n", indent, "", is_object ? '}' : ']', end);
}

static void
print_contract(enum wv_contract type)
{
	const cJSON *root = root_of((int)type);

	printf(".Ss %s Pq %s\n", wv_contract_title(type),
		wv_contract_name(type));
	print_text(wv_get_string(root, "description"));
	puts(".Pp");
	print_text(wv_get_string(root, "$comment"));
	print_holders(type);
	print_members(root);
	puts(".Bd -literal -offset indent");
	print_json(wv_contract_example(type, &arena), 0, "");
	puts(".Ed");
}

static const char head[] =
	".\\\" SPDX-License-Identifier: Apache-2.0\n"
	".\\\" Generated from schemas/ by doc/contracts-page.c: do not edit.\n"
	".Dd November 30, 2026\n"
	".Dt WV-CONTRACTS 5\n"
	".Os\n"
	".Sh NAME\n"
	".Nm wv-contracts\n"
	".Nd the records that tools of the family exchange\n"
	".Sh DESCRIPTION\n"
	"A contract says what a record must look like, whoever writes it and\n"
	"whoever reads it.\n"
	"These are the contracts of weaver-spec, version " WV_CONTRACT_VERSION
	";\n"
	".Xr wv-validate 1\n"
	"judges records by them, and every tool those that it reads.\n"
	".Pp\n"
	"A record is a JSON object.\n"
	"A member that is not said to be required may be absent; it may be "
	"null\n"
	"only where that is said.\n"
	"Other members are allowed; those of an implementation should begin\n"
	"with\n"
	".Ql x_\n"
	"and its name, as\n"
	".Ql x_wv_code\n"
	"does.\n"
	"Ids are any text.\n"
	"A date-time is one of RFC 3339, such as\n"
	".Ql 2026-01-31T23:59:59Z .\n"
	"Lengths count Unicode characters.\n"
	".Pp\n"
	"The schemas are installed with the program, printed by\n"
	".Fl -print-schema ,\n"
	"and have the ids\n"
	".Sm off\n"
	".Lk https://weaver-spec.dev/contracts/v0/ ,\n"
	".Sm on\n"
	"for the extended ones\n"
	".Ql extended/ ,\n"
	"then the name and\n"
	".Ql .schema.json .\n"
	".Sh CORE CONTRACTS\n";

static const char extended[] =
	".Sh EXTENDED CONTRACTS\n"
	"Some of them ride in a Core object; what is wrong with one that does\n"
	"is a warning, under\n"
	".Fl -strict\n"
	"an error.\n"
	"There, null is the same as absent.\n";

static const char tail[] =
	".Sh EXAMPLES\n"
	"An example of a Frame, and whether it is one:\n"
	".Bd -literal -offset indent\n"
	"wv-validate --print-example frame >frame.json\n"
	"wv-validate --check -t frame frame.json\n"
	".Ed\n"
	".Sh SEE ALSO\n"
	".Xr wv-validate 1 ,\n"
	".Xr wv 7\n"
	".Rs\n"
	".%T The JavaScript Object Notation (JSON) Data Interchange Format\n"
	".%R RFC 8259\n"
	".Re\n"
	".Rs\n"
	".%T JSON Canonicalization Scheme (JCS)\n"
	".%R RFC 8785\n"
	".Re\n";

int
main(void)
{
	fputs(head, stdout);
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		if (i == WV_CORE_COUNT)
			fputs(extended, stdout);
		print_contract((enum wv_contract)i);
	}
	fputs(tail, stdout);
	wv_arena_free(&arena);
	return ferror(stdout) != 0 || fclose(stdout) != 0;
}
