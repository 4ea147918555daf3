/* SPDX-License-Identifier: Apache-2.0 */
/* Reports, byte for byte, of text that would like to break out of them. */
#include "report/report.h"

#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BIDI "\xe2\x80\xae"
#define NONCHARACTER "\xef\xbf\xbe"

static struct wv_arena arena = WV_ARENA_INIT;
static char *folder, *parent;

static const struct wv_finding
	near_miss = {
		.warning = true,
		.rule = "near-miss",
		.instance = "/metadata",
		.message = "50% done: a, b",
	},
	invariant = {
		.rule = "I-06",
		.line = 4,
		.column = 2,
		.character = 2,
		.instance = "/e~1f",
		.keyword = "I-06",
		.message = "no % \"scope\"",
		.next = &near_miss,
	},
	too_short = {
		.rule = "minLength",
		.line = 3,
		.column = 17,
		.character = 15,
		.instance = "/na" BIDI "me",
		.keyword = "/properties/na" BIDI "me/minLength",
		.message = "\"x\" & 'y' <too> short]]>",
		.next = &invariant,
	},
	malformed = {
		.rule = "malformed",
		.line = 2,
		.column = 1,
		.message = "a\nb\r\x01\x7f\xff" NONCHARACTER
			   "\\ # ok\n::error::x",
	},
	required = {
		.rule = "required",
		.line = 7,
		.column = 1,
		.character = 1,
		.instance = "",
		.keyword = "/required",
		.message = "a\xc0\x80z: lacks frame_id",
	};

static const struct wv_judged judged[] = {
	{ "./a.json", 1, WV_VALID, NULL, NULL },
	{ "sub/b: c#\".jsonl", 3, WV_INVALID, &too_short, NULL },
	{ "sub/b: c#\".jsonl", 4, WV_VALID, NULL, NULL },
	{ "sub/b: c#\".jsonl", 5, WV_VALID, &near_miss, NULL },
	{ "sub/b: c#\".jsonl", 6, WV_VALID, NULL, NULL },
	{ "/no where/\n,<\xff>.json", 1, WV_UNDECIDED, &malformed, NULL },
	{ "stdin", 7, WV_INVALID, &required, NULL },
};
enum { JUDGED = sizeof judged / sizeof *judged };

static const struct wv_report_counts counts = { 7, 4, 2, 1, 0, 2 };
static const struct wv_report_counts none;
static const char *const made[] = { "a", "b", "out", "stdout", NULL };

static const char text_full[] =
	"sub/b: c#\".jsonl:3:17: /na\\u{202e}me: \"x\" & 'y' <too> sh"
	"ort]]> (schema /properties/na\\u{202e}me/minLength)\n"
	"sub/b: c#\".jsonl:4:2: /e~1f: no % \"scope\" (I-06)\n"
	"sub/b: c#\".jsonl:3: warning: /metadata: 50% done: a, b\n"
	"sub/b: c#\".jsonl:5: warning: /metadata: 50% done: a, b\n"
	"/no where/\\n,<\\xff>.json:2:1: a\\nb\\r\\x01\\x7f\\xff\357"
	"\277\275\\ # ok\\n::error::x\n"
	"stdin:7:1: a\\xc0\\x80z: lacks frame_id (schema /required)\n"
	"7 records: 4 valid, 2 invalid, 1 malformed, 0 undecided, 2 w"
	"arnings\n";

static const char text_empty[] =
	"0 records: 0 valid, 0 invalid, 0 malformed, 0 undecided, 0 w"
	"arnings\n";

static const char verdicts_full[] =
	"{\"source\":\"./a.json\",\"line\":1,\"valid\":true,\"errors"
	"\":[]}\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":3,\"valid\":fal"
	"se,\"errors\":[{\"instanceLocation\":\"/na\\u202eme\","
	"\"keywordLocation\":\"/properties/na\\u202eme/minLength"
	"\",\"error\":\"\\\"x\\\" & 'y' <too> short]]>\"},{\"instance"
	"Location\":\"/e~1f\",\"keywordLocation\":\"I-06\",\"error\":"
	"\"no % \\\"scope\\\"\"}],\"warnings\":[{\"instanceLocation\""
	":\"/metadata\",\"keywordLocation\":\"near-miss\",\"error\":"
	"\"50% done: a, b\"}]}\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":4,\"valid\":tru"
	"e,\"errors\":[]}\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":5,\"valid\":tru"
	"e,\"errors\":[],\"warnings\":[{\"instanceLocation\":\"/metad"
	"ata\",\"keywordLocation\":\"near-miss\",\"error\":\"50% done"
	": a, b\"}]}\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":6,\"valid\":tru"
	"e,\"errors\":[]}\n"
	"{\"source\":\"/no where/\\n,<\357\277\275>.json\",\"line\":1"
	",\"valid\":null,\"errors\":[{\"instanceLocation\":\"\",\"key"
	"wordLocation\":\"malformed\",\"error\":\"a\\\\nb\\\\r\\\\x01"
	"\\\\x7f\\\\xff\357\277\275\\\\ # ok\\\\n::error::x\"}]}\n"
	"{\"source\":\"stdin\",\"line\":7,\"valid\":false,\"errors\":"
	"[{\"instanceLocation\":\"\",\"keywordLocation\":\"/required"
	"\",\"error\":\"a\\\\xc0\\\\x80z: lacks frame_id\"}]}\n";

static const char verdicts_empty[] = "";

static const char json_full[] =
	"{\"findings\":[\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":3,\"column\":17"
	",\"level\":\"error\",\"rule\":\"schema/minLength\",\"instanc"
	"eLocation\":\"/na\\u202eme\",\"keywordLocation\":\"/pro"
	"perties/na\\u202eme/minLength\",\"message\":\"\\\"x\\\""
	" & 'y' <too> short]]>\"},\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":4,\"column\":2,"
	"\"level\":\"error\",\"rule\":\"invariant/I-06\",\"instanceLo"
	"cation\":\"/e~1f\",\"keywordLocation\":\"I-06\",\"message\":"
	"\"no % \\\"scope\\\"\"},\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":3,\"level\":\"w"
	"arning\",\"rule\":\"near-miss\",\"instanceLocation\":\"/meta"
	"data\",\"keywordLocation\":\"near-miss\",\"message\":\"50% d"
	"one: a, b\"},\n"
	"{\"source\":\"sub/b: c#\\\".jsonl\",\"line\":5,\"level\":\"w"
	"arning\",\"rule\":\"near-miss\",\"instanceLocation\":\"/meta"
	"data\",\"keywordLocation\":\"near-miss\",\"message\":\"50% d"
	"one: a, b\"},\n"
	"{\"source\":\"/no where/\\n,<\357\277\275>.json\",\"line\":2"
	",\"column\":1,\"level\":\"error\",\"rule\":\"malformed\",\"i"
	"nstanceLocation\":\"\",\"keywordLocation\":\"malformed\",\"m"
	"essage\":\"a\\\\nb\\\\r\\\\x01\\\\x7f\\\\xff\357\277\275\\\\"
	" # ok\\\\n::error::x\"},\n"
	"{\"source\":\"stdin\",\"line\":7,\"column\":1,\"level\":\"er"
	"ror\",\"rule\":\"schema/required\",\"instanceLocation\":\"\""
	",\"keywordLocation\":\"/required\",\"message\":\"a\\\\xc0\\"
	"\\x80z: lacks frame_id\"}\n"
	"],\"summary\":{\"records\":7,\"valid\":4,\"invalid\":2,\"mal"
	"formed\":1,\"undecided\":0,\"warnings\":2}}\n";

static const char json_empty[] =
	"{\"findings\":[],\"summary\":{\"records\":0,\"valid\":0,\"in"
	"valid\":0,\"malformed\":0,\"undecided\":0,\"warnings\":0}}\n";

static const char junit_full[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<testsuites>\n"
	"<testsuite name=\"./a.json\" tests=\"1\" failures=\"0\" erro"
	"rs=\"0\">\n"
	"<testcase classname=\"./a.json\" name=\"line 1\"/>\n"
	"</testsuite>\n"
	"<testsuite name=\"sub/b: c#&quot;.jsonl\" tests=\"3\" failur"
	"es=\"1\" errors=\"0\">\n"
	"<testcase classname=\"sub/b: c#&quot;.jsonl\" name=\"line 3"
	"\">\n"
	"<failure message=\"/na\\u{202e}me: &quot;x&quot; &amp; 'y' &"
	"lt;too&gt; short]]&gt;\" type=\"schema/minLength\">sub/b: c#"
	"&quot;.jsonl:3:17: /na\\u{202e}me: &quot;x&quot; &amp; 'y' &"
	"lt;too&gt; short]]&gt; (schema /properties/na\\u{202e}me/min"
	"Length)\n"
	"sub/b: c#&quot;.jsonl:4:2: /e~1f: no % &quot;scope&quot; (I-"
	"06)\n"
	"sub/b: c#&quot;.jsonl:3: warning: /metadata: 50% done: a, b<"
	"/failure>\n"
	"</testcase>\n"
	"<testcase classname=\"sub/b: c#&quot;.jsonl\" name=\"line 5"
	"\">\n"
	"<system-out>sub/b: c#&quot;.jsonl:5: warning: /metadata: 50%"
	" done: a, b</system-out>\n"
	"</testcase>\n"
	"<testcase classname=\"sub/b: c#&quot;.jsonl\" name=\"valid r"
	"ecords\"/>\n"
	"</testsuite>\n"
	"<testsuite name=\"/no where/\\n,&lt;\\xff&gt;.json\" tests="
	"\"1\" failures=\"0\" errors=\"1\">\n"
	"<testcase classname=\"/no where/\\n,&lt;\\xff&gt;.json\" nam"
	"e=\"line 1\">\n"
	"<error message=\"a\\nb\\r\\x01\\x7f\\xff\357\277\275\\ # ok"
	"\\n::error::x\" type=\"malformed\">/no where/\\n,&lt;\\xff&g"
	"t;.json:2:1: a\\nb\\r\\x01\\x7f\\xff\357\277\275\\ # ok\\n::"
	"error::x</error>\n"
	"</testcase>\n"
	"</testsuite>\n"
	"<testsuite name=\"stdin\" tests=\"1\" failures=\"1\" errors="
	"\"0\">\n"
	"<testcase classname=\"stdin\" name=\"line 7\">\n"
	"<failure message=\"a\\xc0\\x80z: lacks frame_id\" type=\"sch"
	"ema/required\">stdin:7:1: a\\xc0\\x80z: lacks frame_id (sche"
	"ma /required)</failure>\n"
	"</testcase>\n"
	"</testsuite>\n"
	"</testsuites>\n";

static const char junit_empty[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
				  "<testsuites>\n"
				  "</testsuites>\n";

static const char tap_full[] =
	"TAP version 13\n"
	"ok 1 - ./a.json:1\n"
	"not ok 2 - sub/b: c\\#\".jsonl:3\n"
	"  ---\n"
	"  findings:\n"
	"    - message: \"\\\"x\\\" & 'y' <too> short]]>\"\n"
	"      severity: fail\n"
	"      rule: \"schema/minLength\"\n"
	"      line: 3\n"
	"      column: 17\n"
	"      instance: \"/na\\\\u{202e}me\"\n"
	"      keyword: \"/properties/na\\\\u{202e}me/minLength\"\n"
	"    - message: \"no % \\\"scope\\\"\"\n"
	"      severity: fail\n"
	"      rule: \"invariant/I-06\"\n"
	"      line: 4\n"
	"      column: 2\n"
	"      instance: \"/e~1f\"\n"
	"      keyword: \"I-06\"\n"
	"    - message: \"50% done: a, b\"\n"
	"      severity: warning\n"
	"      rule: \"near-miss\"\n"
	"      line: 3\n"
	"      instance: \"/metadata\"\n"
	"  ...\n"
	"ok 3 - sub/b: c\\#\".jsonl:4\n"
	"ok 4 - sub/b: c\\#\".jsonl:5\n"
	"  ---\n"
	"  findings:\n"
	"    - message: \"50% done: a, b\"\n"
	"      severity: warning\n"
	"      rule: \"near-miss\"\n"
	"      line: 5\n"
	"      instance: \"/metadata\"\n"
	"  ...\n"
	"ok 5 - sub/b: c\\#\".jsonl:6\n"
	"not ok 6 - /no where/\\\\n,<\\\\xff>.json:1\n"
	"  ---\n"
	"  findings:\n"
	"    - message: \"a\\\\nb\\\\r\\\\x01\\\\x7f\\\\xff\357\277"
	"\275\\\\ # ok\\\\n::error::x\"\n"
	"      severity: fail\n"
	"      rule: \"malformed\"\n"
	"      line: 2\n"
	"      column: 1\n"
	"  ...\n"
	"not ok 7 - stdin:7\n"
	"  ---\n"
	"  findings:\n"
	"    - message: \"a\\\\xc0\\\\x80z: lacks frame_id\"\n"
	"      severity: fail\n"
	"      rule: \"schema/required\"\n"
	"      line: 7\n"
	"      column: 1\n"
	"      instance: \"\"\n"
	"      keyword: \"/required\"\n"
	"  ...\n"
	"# 7 records: 4 valid, 2 invalid, 1 malformed, 0 undecided, 2"
	" warnings\n"
	"1..7\n";

static const char tap_empty[] =
	"TAP version 13\n"
	"# 0 records: 0 valid, 0 invalid, 0 malformed, 0 undecided, 0"
	" warnings\n"
	"1..0\n";

static const char sarif_full[] =
	"{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1."
	"0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
	"\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCod"
	"ePoints\",\n"
	"\"originalUriBaseIds\":{\"%SRCROOT%\":{\"description\":{\"te"
	"xt\":\"The folder that was checked out.\"}}},\n"
	"\"results\":[\n"
	"{\"ruleId\":\"schema/minLength\",\"ruleIndex\":0,\"level\":"
	"\"error\",\"message\":{\"text\":\"/na\\\\u{202e}me: \\\"x\\"
	"\" & 'y' <too> short]]>\"},\"locations\":[{\"physicalLocatio"
	"n\":{\"artifactLocation\":{\"uri\":\"sub/b%3A%20c%23%22.json"
	"l\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLine\":3"
	",\"startColumn\":15}},\"logicalLocations\":[{\"kind\":\"valu"
	"e\",\"fullyQualifiedName\":\"/na\\\\u{202e}me\"}]}],\"partia"
	"lFingerprints\":{\"wvFinding/v1\":\"7d6df7606554c1ec55e1e300"
	"d2b6f635690a0a4fbc7ea7f5e02ec1e46d1c259a\"}},\n"
	"{\"ruleId\":\"invariant/I-06\",\"ruleIndex\":1,\"level\":\"e"
	"rror\",\"message\":{\"text\":\"/e~1f: no % \\\"scope\\\"\"},"
	"\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{"
	"\"uri\":\"sub/b%3A%20c%23%22.jsonl\",\"uriBaseId\":\"%SRCROO"
	"T%\"},\"region\":{\"startLine\":4,\"startColumn\":2}},\"logi"
	"calLocations\":[{\"kind\":\"value\",\"fullyQualifiedName\":"
	"\"/e~1f\"}]}],\"partialFingerprints\":{\"wvFinding/v1\":\"5a"
	"2e7562a69c040ab7268dae0376b1fca89c03e8e21d7f458e14ee92554ab5"
	"17\"}},\n"
	"{\"ruleId\":\"near-miss\",\"ruleIndex\":2,\"level\":\"warnin"
	"g\",\"message\":{\"text\":\"/metadata: 50% done: a, b\"},\"l"
	"ocations\":[{\"physicalLocation\":{\"artifactLocation\":{\"u"
	"ri\":\"sub/b%3A%20c%23%22.jsonl\",\"uriBaseId\":\"%SRCROOT%"
	"\"},\"region\":{\"startLine\":3}},\"logicalLocations\":[{\"k"
	"ind\":\"value\",\"fullyQualifiedName\":\"/metadata\"}]}],\"p"
	"artialFingerprints\":{\"wvFinding/v1\":\"e8285baefaa113a9778"
	"315f622c1f4162bbd25f8744c906594bcce53e88bfc4d\"}},\n"
	"{\"ruleId\":\"near-miss\",\"ruleIndex\":2,\"level\":\"warnin"
	"g\",\"message\":{\"text\":\"/metadata: 50% done: a, b\"},\"l"
	"ocations\":[{\"physicalLocation\":{\"artifactLocation\":{\"u"
	"ri\":\"sub/b%3A%20c%23%22.jsonl\",\"uriBaseId\":\"%SRCROOT%"
	"\"},\"region\":{\"startLine\":5}},\"logicalLocations\":[{\"k"
	"ind\":\"value\",\"fullyQualifiedName\":\"/metadata\"}]}],\"p"
	"artialFingerprints\":{\"wvFinding/v1\":\"e8285baefaa113a9778"
	"315f622c1f4162bbd25f8744c906594bcce53e88bfc4d\"}},\n"
	"{\"ruleId\":\"malformed\",\"ruleIndex\":3,\"level\":\"error"
	"\",\"message\":{\"text\":\"a\\\\nb\\\\r\\\\x01\\\\x7f\\\\xff"
	"\357\277\275\\\\ # ok\\\\n::error::x\"},\"locations\":[{\"ph"
	"ysicalLocation\":{\"artifactLocation\":{\"uri\":\"file:///no"
	"%20where/%0A%2C%3C%FF%3E.json\"},\"region\":{\"startLine\":2"
	"}}}],\"partialFingerprints\":{\"wvFinding/v1\":\"bea3c94f827"
	"59113216b447f5007697706a1090d28d4f1a813d8b4d7da1f46ec\"}},\n"
	"{\"ruleId\":\"schema/required\",\"ruleIndex\":4,\"level\":\""
	"error\",\"message\":{\"text\":\"a\\\\xc0\\\\x80z: lacks fram"
	"e_id\"},\"locations\":[{\"physicalLocation\":{\"artifactLoca"
	"tion\":{\"uri\":\"stdin\"},\"region\":{\"startLine\":7,\"sta"
	"rtColumn\":1}}}],\"partialFingerprints\":{\"wvFinding/v1\":"
	"\"1644afec0aebe94f3b3647ff7252dcc449aa503ec341df130f40115ac3"
	"04451b\"}}],\n"
	"\"tool\":{\"driver\":{\"name\":\"wv-test\",\"version\":\"1.2"
	"\",\"rules\":[\n"
	"{\"id\":\"schema/minLength\",\"shortDescription\":{\"text\":"
	"\"A value must be what this keyword of its schema says.\"},"
	"\"fullDescription\":{\"text\":\"A value must be what this ke"
	"yword of its schema says.\"},\"help\":{\"text\":\"A value mu"
	"st be what this keyword of its schema says.\"}},\n"
	"{\"id\":\"invariant/I-06\",\"shortDescription\":{\"text\":\""
	"A record must keep this invariant of its contract.\"},\"full"
	"Description\":{\"text\":\"A record must keep this invariant "
	"of its contract.\"},\"help\":{\"text\":\"A record must keep "
	"this invariant of its contract.\"}},\n"
	"{\"id\":\"near-miss\",\"shortDescription\":{\"text\":\"A rec"
	"ord must stand this check.\"},\"fullDescription\":{\"text\":"
	"\"A record must stand this check.\"},\"help\":{\"text\":\"A "
	"record must stand this check.\"}},\n"
	"{\"id\":\"malformed\",\"shortDescription\":{\"text\":\"A rec"
	"ord must be well-formed.\"},\"fullDescription\":{\"text\":\""
	"A record must be well-formed.\"},\"help\":{\"text\":\"A reco"
	"rd must be well-formed.\"}},\n"
	"{\"id\":\"schema/required\",\"shortDescription\":{\"text\":"
	"\"A value must be what this keyword of its schema says.\"},"
	"\"fullDescription\":{\"text\":\"A value must be what this ke"
	"yword of its schema says.\"},\"help\":{\"text\":\"A value mu"
	"st be what this keyword of its schema says.\"}}]}},\n"
	"\"properties\":{\"summary\":{\"records\":7,\"valid\":4,\"inv"
	"alid\":2,\"malformed\":1,\"undecided\":0,\"warnings\":2}}}]}"
	"\n";

static const char sarif_empty[] =
	"{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1."
	"0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
	"\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCod"
	"ePoints\",\n"
	"\"originalUriBaseIds\":{\"%SRCROOT%\":{\"description\":{\"te"
	"xt\":\"The folder that was checked out.\"}}},\n"
	"\"results\":[],\n"
	"\"tool\":{\"driver\":{\"name\":\"wv-test\",\"version\":\"1.2"
	"\",\"rules\":[]}},\n"
	"\"properties\":{\"summary\":{\"records\":0,\"valid\":0,\"inv"
	"alid\":0,\"malformed\":0,\"undecided\":0,\"warnings\":0}}}]}"
	"\n";

static const char github_full[] =
	"::error file=sub/b%3A c#\".jsonl,line=3,col=15,title=schema/"
	"minLength::/na\\u{202e}me: \"x\" & 'y' <too> short]]>\n"
	"::error file=sub/b%3A c#\".jsonl,line=4,col=2,title=invarian"
	"t/I-06::/e~1f: no %25 \"scope\"\n"
	"::error file=/no where/\\n%2C<\\xff>.json,line=2,title=malfo"
	"rmed::a\\nb\\r\\x01\\x7f\\xff\357\277\275\\ # ok\\n::error::"
	"x\n"
	"::error title=schema/required::stdin:7:1: a\\xc0\\x80z: lack"
	"s frame_id (schema /required)\n"
	"::warning file=sub/b%3A c#\".jsonl,line=3,title=near-miss::/"
	"metadata: 50%25 done: a, b\n"
	"::warning file=sub/b%3A c#\".jsonl,line=5,title=near-miss::/"
	"metadata: 50%25 done: a, b\n";

static const char github_empty[] = "";

static struct wv_reports *
new_reports(void)
{
	return wv_reports_new("wv-test", "1.2");
}

/* The text of a file that a report went to. */
static const char *
text_of(const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	size_t len;
	const char *text = wv_file_read(&arena, path, 1 << 24, &len, &err);

	return text != NULL ? text : wv_dup(&arena, err.text);
}

static const char *
report(const char *format, const struct wv_judged *list, size_t n)
{
	struct wv_reports *reports = new_reports();
	struct wv_err err = WV_ERR_INIT;

	wv_reports_add(reports, wv_printf(&arena, "%s=out", format), &err);
	for (size_t i = 0; i < n; i++)
		wv_reports_record(reports, &list[i]);
	if (wv_reports_close(reports, n > 0 ? &counts : &none, &err) < 0)
		return wv_dup(&arena, err.text);
	return text_of("out");
}

static void
test_formats(void)
{
	static const struct {
		const char *name, *full, *empty;
	} table[] = {
		{ "text", text_full, text_empty },
		{ "verdicts", verdicts_full, verdicts_empty },
		{ "json", json_full, json_empty },
		{ "junit", junit_full, junit_empty },
		{ "tap", tap_full, tap_empty },
		{ "sarif", sarif_full, sarif_empty },
		{ "github", github_full, github_empty },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		is(report(table[i].name, judged, JUDGED), table[i].full,
			"%s, byte for byte", table[i].name);
		is(report(table[i].name, judged, 0), table[i].empty,
			"%s of nothing", table[i].name);
	}
}

/* A tree holds U+0000 as C0 80 (json/json.h); messages are clean. */
static void
test_exact(void)
{
	const struct wv_finding finding = {
		.rule = "type",
		.instance = "/a\xc0\x80\xc0\x80"
			    "b\x1b",
		.keyword = "/properties/\"/type",
		.message = "\x1b[2J",
	};
	const struct wv_judged one = { "a", 1, WV_INVALID, &finding, NULL };

	is(report("verdicts", &one, 1),
		"{\"source\":\"a\",\"line\":1,\"valid\":false,\"errors\":[{"
		"\"instanceLocation\":\"/a\\u0000\\u0000b\\u001b\","
		"\"keywordLocation\":\"/properties/\\\"/type\","
		"\"error\":\"\\\\x1b[2J\"}]}\n",
		"pointers are exact");
}

/* Names of files and members reached the terminal with DEL, C1 and bidi. */
static void
test_unseen(void)
{
	const struct wv_finding finding = {
		.rule = "type",
		.instance = "/\x7f\xc2\x80\xc2\x9f\xe2\x80\x8f\xe2\x80\xa8"
			    "\xe2\x80\xae\xe2\x81\xa9",
		.keyword = "/\xc3\xa9\xf0\x9f\x98\x80\xf3\xa0\x80\xa0",
		.message = "m",
	};
	const struct wv_judged one = { "a\xe2\x80\xae"
				       "b",
		1, WV_INVALID, &finding, NULL };
	static const char *const formats[] = { "verdicts", "json" };

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		const char *text = report(formats[i], &one, 1);
		ok(strstr(text, "\"source\":\"a\\u202eb\"") != NULL,
			"%s: the name of a file", formats[i]);
		ok(strstr(text,
			   "\"/\\u007f\\u0080\\u009f\\u200f\\u2028\\u202e"
			   "\\u2069\"") != NULL,
			"%s: the names of members", formats[i]);
		ok(strstr(text,
			   "\"/\xc3\xa9\xf0\x9f\x98\x80\\udb40\\udc20\"") !=
				NULL,
			"%s: what is seen stays, what is not is a pair",
			formats[i]);
	}
}

/* A source that cannot be read has no line. */
static void
test_source(void)
{
	const struct wv_finding finding = {
		.rule = "unreadable",
		.message = "cannot open",
	};
	const struct wv_judged one = { "a", 0, WV_UNDECIDED, &finding, NULL };
	static const struct {
		const char *format, *text;
	} table[] = {
		{ "text", "a: cannot open\n" },
		{ "verdicts", "{\"source\":\"a\",\"valid\":null," },
		{ "json", "{\"source\":\"a\",\"level\":\"error\"," },
		{ "junit",
			"<testcase classname=\"a\" name=\"source\">\n"
			"<error message=\"cannot open\" type=\"unreadable\">" },
		{ "tap", "not ok 1 - a\n" },
		{ "tap", "      rule: \"unreadable\"\n  ...\n" },
		{ "sarif", "{\"uri\":\"a\",\"uriBaseId\":\"%SRCROOT%\"}}}]," },
		{ "github", "::error file=a,title=unreadable::cannot open\n" },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *text = report(table[i].format, &one, 1);
		if (!ok(strstr(text, table[i].text) != NULL, "%s of a source",
			    table[i].format))
			printf("# %s\n", text);
	}
}

static void
refuses(const char *const *specs, const char *why)
{
	struct wv_reports *reports = new_reports();
	struct wv_err err = WV_ERR_INIT;
	int status = 0;

	for (; *specs != NULL && status == 0; specs++)
		status = wv_reports_add(reports, *specs, &err);
	ok(status == -1 && *specs == NULL, "the last is refused: %s", why);
	is(err.text, why, "says why");
	wv_err_clear(&err);
	wv_reports_close(reports, &none, &err);
}
#define REFUSES(why, ...) \
	refuses((const char *const[]){ __VA_ARGS__, NULL }, why)

static void
test_refusals(void)
{
	REFUSES("report 'saarif' is none of text, verdicts, json, junit, tap, "
		"sarif, github; did you mean 'sarif'?",
		"saarif=out");
	REFUSES("report '' is none of text, verdicts, json, junit, tap, sarif, "
		"github",
		"");
	REFUSES("report tap is given twice", "tap=a", "json=b", "tap=c");
	REFUSES("reports tap and json cannot both go to out", "tap=out",
		"json=out");
	REFUSES("a report's file has no name", "json=");
	REFUSES("cannot open no/such/folder: No such file or directory",
		"json=no/such/folder");
	ok(access("b", F_OK) == 0, "files are made at once");
	ok(access("c", F_OK) != 0, "but not of a report that is refused");
}

/* Standard output is that of the test: a file takes its place. */
static void
test_stdout(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reports *reports = new_reports();
	int kept = dup(STDOUT_FILENO);

	fflush(stdout);
	dup2(open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
	bool before = wv_reports_stdout(reports) != NULL;
	int one = wv_reports_add(reports, "json=-", &err);
	bool after = wv_reports_stdout(reports) != NULL;
	int file = wv_reports_add(reports, "github=out", &err);
	int two = wv_reports_add(reports, "tap", &err);
	struct wv_err closing = WV_ERR_INIT;
	int closed = wv_reports_close(reports, &none, &closing);
	dup2(kept, STDOUT_FILENO);
	close(kept);

	ok(one == 0 && !before && after, "one goes to standard output");
	ok(file == 0 && two == -1, "files besides, but not a second");
	is(err.text, "reports json and tap cannot both go to standard output",
		"says why");
	ok(closed == 0, "closed");
	is(text_of("stdout"), json_empty, "it went there");
}

static void
test_descriptors(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reports *reports = new_reports();
	int next = dup(STDIN_FILENO);

	close(next);
	wv_reports_add(reports, "json=out", &err);
	ok(fcntl(next, F_GETFD) == FD_CLOEXEC, "no child inherits a report");
	wv_reports_close(reports, &none, &err);
	ok(fcntl(next, F_GETFD) == -1, "and it is closed");
}

/* The full disk hurts its report and no other. */
static void
test_full_disk(void)
{
	struct wv_reports *reports = new_reports();
	struct wv_err err = WV_ERR_INIT;

	if (access("/dev/full", W_OK) != 0) {
		ok(true, "# SKIP no /dev/full");
		return;
	}
	wv_reports_add(reports, "sarif=/dev/full", &err);
	wv_reports_add(reports, "text=out", &err);
	for (size_t i = 0; i < JUDGED; i++)
		wv_reports_record(reports, &judged[i]);
	ok(wv_reports_close(reports, &counts, &err) == -1, "a full disk");
	is(err.text, "write error: No space left on device", "says so");
	is(err.source, "/dev/full", "says where");
	is(text_of("out"), text_full, "the other report is whole");
}

/* The file that an annotation of source names. */
static const char *
annotated(const char *source)
{
	const struct wv_judged one = { source, 1, WV_INVALID, &required, NULL };
	const char *text = report("github", &one, 1);
	size_t skip = strlen("::error file=");

	return strlen(text) < skip
		? text
		: wv_dupn(&arena, text + skip, strcspn(text, ",") - skip);
}

static void
test_paths(void)
{
	is(annotated(".//x/./y/../z.json"), "x/z.json", "no dot segments");
	is(annotated(wv_printf(&arena, "%s/x.json", folder)), "x.json",
		"an absolute one in the working folder");
	is(annotated(wv_printf(&arena, "%s-x.json", folder)),
		wv_printf(&arena, "%s-x.json", folder), "one beside it");
	is(annotated("/../..//x/../y.json"), "/y.json", "above the root");
	is(annotated("...json"), "...json", "dots that are a name");
	setenv("GITHUB_WORKSPACE", wv_printf(&arena, "/../%s//.", parent), 1);
	is(annotated("x.json"),
		wv_printf(&arena, "%s/x.json", folder + strlen(parent) + 1),
		"relative to the workspace");
	is(annotated("../x.json"), "x.json", "one above the working folder");
	setenv("GITHUB_WORKSPACE", folder, 1);
	is(annotated("x.json"), "x.json", "that is the working folder");
	setenv("GITHUB_WORKSPACE", "/elsewhere", 1);
	is(annotated("x.json"), "x.json", "that is elsewhere");
	setenv("GITHUB_WORKSPACE", "tmp", 1);
	is(annotated("x.json"), "x.json", "that is no folder");
	unsetenv("GITHUB_WORKSPACE");
}

static size_t
occurrences(const char *text, const char *word)
{
	size_t count = 0;

	for (; (text = strstr(text, word)) != NULL; text++)
		count++;
	return count;
}

static const char *
annotations(size_t errors, size_t warnings)
{
	const struct wv_judged bad = { "bad", 1, WV_INVALID, &required, NULL };
	const struct wv_judged odd = { "odd", 1, WV_VALID, &near_miss, NULL };
	struct wv_judged list[50];
	size_t n = 0;

	for (size_t i = 0; i < warnings; i++)
		list[n++] = odd;
	for (size_t i = 0; i < errors; i++)
		list[n++] = bad;
	return report("github", list, n);
}

static void
test_annotations(void)
{
	const char *text = annotations(7, 12);

	ok(occurrences(text, "::error ") == 7, "errors come first");
	ok(occurrences(text, "::warning ") == 3, "warnings fill up to ten");
	ok(strstr(text,
		   "\n::notice title=wv-test::9 more not shown: 7 records: ") !=
			NULL,
		"the rest is counted");
	text = annotations(12, 1);
	ok(occurrences(text, "::error ") == 10 && !strstr(text, "::warning "),
		"ten at most");
	ok(strstr(text, "::3 more not shown: ") != NULL, "and a notice");
	ok(!strstr(annotations(4, 6), "::notice "), "none if all are told");
}

/* What a suite keeps is bounded: a source goes on in further ones. */
static void
test_suites(void)
{
	enum { MANY = 10000 };
	static struct wv_judged list[MANY];
	size_t tests = 0, suites = 0;

	for (size_t i = 0; i < MANY; i++)
		list[i] = (struct wv_judged){ "a.jsonl", i + 1, WV_INVALID,
			&required, NULL };
	for (const char *p = report("junit", list, MANY);
		(p = strstr(p, " tests=\"")) != NULL; suites++) {
		p += strlen(" tests=\"");
		tests += strtoul(p, NULL, 10);
	}
	ok(suites > 1 && suites < 10, "%zu suites", suites);
	ok(tests == MANY, "no test is lost");
}

int
main(void)
{
	char template[] = "/tmp/report.XXXXXX";

	if (mkdtemp(template) == NULL || chdir(template) != 0) {
		printf("Bail out! no folder\n");
		return 1;
	}
	folder = getcwd(NULL, 0);
	parent = wv_dupn(
		&arena, folder, (size_t)(strrchr(folder, '/') - folder));
	unsetenv("GITHUB_WORKSPACE");
	test_formats();
	test_exact();
	test_unseen();
	test_source();
	test_refusals();
	test_stdout();
	test_descriptors();
	test_full_disk();
	test_paths();
	test_annotations();
	test_suites();
	for (const char *const *name = made; *name != NULL; name++)
		unlink(*name);
	rmdir(folder);
	free(folder);
	wv_arena_free(&arena);
	return done();
}
