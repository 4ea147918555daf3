/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that say what a value is, and hold none: schemas of JSON, the
 * packages of a lock file, and in a template of CloudFormation what is yet to
 * be made, or asked for. */
#include "firewall/internal.h"
#include "firewall/scan-internal.h"

#include <string.h>

enum { DEPTH = 8 }; /* of a schema; a deeper one is a value */

/* What stands in a schema; default, const, enum and examples are values. */
static const struct wv_word remarks[] = { WV_W("$comment"), WV_W("deprecated"),
	WV_W("description"), WV_W("format"), WV_W("maxItems"),
	WV_W("maxLength"), WV_W("maximum"), WV_W("minItems"), WV_W("minLength"),
	WV_W("minimum"), WV_W("nullable"), WV_W("pattern"), WV_W("readOnly"),
	WV_W("required"), WV_W("title"), WV_W("uniqueItems"), WV_W("writeOnly"),
	WV_NO_WORD };

static const struct wv_word schemas[] = { WV_W("additionalProperties"),
	WV_W("allOf"), WV_W("anyOf"), WV_W("items"), WV_W("oneOf"),
	WV_W("properties"), WV_NO_WORD };

static const struct wv_word types[] = { WV_W("array"), WV_W("boolean"),
	WV_W("integer"), WV_W("null"), WV_W("number"), WV_W("object"),
	WV_W("string"), WV_NO_WORD };

static const struct wv_word packages[] = { WV_W("bin"), WV_W("bundled"),
	WV_W("dependencies"), WV_W("deprecated"), WV_W("dev"), WV_W("engines"),
	WV_W("funding"), WV_W("integrity"), WV_W("license"), WV_W("optional"),
	WV_W("optionalDependencies"), WV_W("peer"), WV_W("peerDependencies"),
	WV_W("requires"), WV_W("resolved"), WV_W("version"), WV_NO_WORD };

static bool
is_named(const cJSON *member, const struct wv_word *list)
{
	return wv_is_one_of(member->string, strlen(member->string), list);
}

static bool
is_type(const cJSON *value)
{
	if (wv_is_string(value))
		return wv_is_one_of(
			value->valuestring, (size_t)value->valueint, types);
	wv_json_each(type, value)
		if (!wv_is_string(type) || !is_type(type))
			return false;
	return value->child != NULL;
}

static bool is_schema(const cJSON *node, int depth);

/* A schema, or an array or object of them. */
static bool
has_schemas(const cJSON *node, bool several, int depth)
{
	if (wv_is_true(node) || wv_is_false(node))
		return true;
	if (!several && !wv_is_array(node))
		return is_schema(node, depth);
	wv_json_each(child, node)
		if (!is_schema(child, depth))
			return false;
	return node->child != NULL;
}

static bool
is_nothing(const cJSON *value)
{
	return wv_is_null(value) || wv_is_true(value) || wv_is_false(value) ||
		(wv_is_string(value) && value->valueint == 0);
}

/* Whether the member may stand in a schema; *says_what if it is what makes it
 * one. */
static bool
is_keyword(const cJSON *member, int depth, bool *says_what)
{
	const char *name = member->string;

	if (strcmp(name, "default") == 0)
		return is_nothing(member);
	if (is_named(member, remarks))
		return true;
	*says_what = true;
	if (strcmp(name, "$ref") == 0)
		return wv_is_string(member) && member->valuestring[0] == '#';
	if (strcmp(name, "type") == 0)
		return is_type(member);
	return is_named(member, schemas) &&
		has_schemas(member, strcmp(name, "properties") == 0, depth + 1);
}

static bool
is_schema(const cJSON *node, int depth)
{
	bool says_what = false;

	if (!wv_is_object(node) || depth == DEPTH)
		return false;
	wv_json_each(member, node)
		if (!is_keyword(member, depth, &says_what))
			return false;
	return says_what;
}

static bool
is_package(const cJSON *node)
{
	bool has_version = false;

	wv_json_each(member, node) {
		if (!is_named(member, packages))
			return false;
		has_version = has_version ||
			(strcmp(member->string, "version") == 0 &&
				wv_is_string(member) &&
				wv_is_version(member->valuestring,
					(size_t)member->valueint));
	}
	return has_version;
}

/* {"Ref": "Name"}, {"Fn::GetAtt": ["Name", "Member"]} */
static bool
is_reference(const cJSON *node)
{
	static const struct wv_word functions[] = { WV_W("Ref"),
		WV_W("Fn::GetAtt"), WV_W("Fn::ImportValue"), WV_NO_WORD };

	return node->child != NULL && node->child->next == NULL &&
		is_named(node->child, functions);
}

/* An output: its value is a reference. */
static bool
is_output(const cJSON *node)
{
	static const struct wv_word outputs[] = { WV_W("Condition"),
		WV_W("Description"), WV_W("Export"), WV_W("Value"),
		WV_NO_WORD };

	wv_json_each(member, node)
		if (!is_named(member, outputs))
			return false;
	const cJSON *value = wv_get(node, "Value");
	return wv_is_object(value) && is_reference(value);
}

/* A parameter that has no value of its own. */
static bool
is_parameter(const cJSON *node)
{
	static const struct wv_word remarks_of_one[] = { WV_W("AllowedPattern"),
		WV_W("ConstraintDescription"), WV_W("Description"),
		WV_W("MaxLength"), WV_W("MinLength"), WV_W("NoEcho"),
		WV_W("Type"), WV_NO_WORD };

	wv_json_each(member, node)
		if (!is_named(member, remarks_of_one) &&
			(strcmp(member->string, "Default") != 0 ||
				!is_nothing(member)))
			return false;
	const char *type = wv_get_string(node, "Type");
	return type != NULL &&
		(strcmp(type, "String") == 0 ||
			strncmp(type, "AWS::SSM::Parameter", 19) == 0);
}

/* A key that is yet to be made has no members with secrets. */
static bool
is_access_key(const cJSON *node)
{
	const char *type = wv_get_string(node, "Type");

	return type != NULL && strcmp(type, "AWS::IAM::AccessKey") == 0;
}

bool
wv_is_description(const cJSON *node)
{
	return wv_is_object(node) &&
		(is_schema(node, 0) || is_package(node) || is_reference(node) ||
			is_output(node) || is_parameter(node) ||
			is_access_key(node));
}
