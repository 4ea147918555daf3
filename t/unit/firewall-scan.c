/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scanner by itself: look-alikes, sets of rules, streams that are split
 * anywhere, and the bytes it looks at.  Its sources are compiled into this
 * test, with the counter of those.  Secrets are put together here, so that no
 * scanner takes this file for a leak.
 */
#define WV_SCAN_STEPS 1
#include "firewall/assign-plain.c"
#include "firewall/assign-value.c"
#include "firewall/assign.c"
#include "firewall/kinds.c"
#include "firewall/names.c"
#include "firewall/scan-filter.c"
#include "firewall/scan-masks.c"
#include "firewall/scan-numbers.c"
#include "firewall/scan-rules.c"
#include "firewall/scan-tail.c"
#include "firewall/scan.c"
#include "firewall/shapes-address.c"
#include "firewall/shapes-email.c"
#include "firewall/shapes-iban.c"
#include "firewall/shapes-number.c"
#include "firewall/shapes-pem.c"
#include "firewall/shapes-phone.c"
#include "firewall/shapes-table.c"
#include "firewall/shapes-url.c"
#include "firewall/shapes.c"

#include "base/file.h"
#include "firewall/firewall.h"
#include "json/lines.h"
#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

static void
append_mark(struct wv_str *out, const char *kind)
{
	wv_str_fmt(out, "[%s]", kind);
}

static void
scan_whole(struct wv_str *out, const struct wv_rules *rules, const char *s,
	size_t n)
{
	struct wv_hit hit;
	size_t from = 0;

	out->n = 0;
	while (wv_scan(rules, s, n, from, &hit)) {
		wv_str_add(out, s + from, hit.start - from);
		append_mark(out, hit.kind);
		from = hit.end;
	}
	wv_str_add(out, s + from, n - from);
}

/* A stream as its reader holds it: what was shown is kept as context only. */
struct stream {
	struct wv_str text;
	size_t live;
	size_t asked; /* when it held so much */
};

static void
feed(struct stream *st, struct wv_str *out, const char *s, size_t n, bool last)
{
	struct wv_str *text = &st->text;
	size_t from = 0, shown = st->live, live = st->live;
	struct wv_hit hit;

	wv_str_add(text, s, n);
	if (!last && text->n - live < st->asked)
		return;
	while (last ? wv_scan_last(NULL, text->s, text->n, from, &hit, live)
		    : wv_scan_more(NULL, text->s, text->n, from, &hit, &live)) {
		wv_str_add(out, text->s + shown, hit.start - shown);
		append_mark(out, hit.kind);
		shown = from = live = hit.end;
	}
	if (last)
		live = text->n;
	wv_str_add(out, text->s + shown, live - shown);
	if (live - from > WV_SCAN_CONTEXT)
		from = live - WV_SCAN_CONTEXT;
	text->n -= from;
	memmove(text->s, text->s + from, text->n);
	st->live = live - from;
	st->asked = text->n - st->live > 256 ? 2 * (text->n - st->live) : 0;
	if (last)
		wv_str_free(text);
}

static bool
same(const struct wv_str *a, const struct wv_str *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0);
}

/* Long texts are not split everywhere. */
static size_t
split_wrongly(const char *s, size_t n, const struct wv_str *whole)
{
	size_t wrong = 0, step = n > 1500 ? n / 500 : 1;
	struct wv_str out = { 0 };

	for (size_t i = 1; i < n; i += step) {
		struct stream st = { { 0 }, 0, 0 };
		out.n = 0;
		feed(&st, &out, s, i, false);
		feed(&st, &out, s + i, n - i, true);
		wrong += !same(&out, whole);
	}
	struct stream st = { { 0 }, 0, 0 };
	out.n = 0;
	for (size_t i = 0; i < n; i++)
		feed(&st, &out, s + i, 1, false);
	feed(&st, &out, "", 0, true);
	wrong += !same(&out, whole);
	wv_str_free(&out);
	return wrong;
}

static void
redact_is(const char *text, const char *want)
{
	static struct wv_str out;
	const char *shown = strchr(text, '\n') ? "lines" : text;

	scan_whole(&out, NULL, text, strlen(text));
	is(wv_dupn(&arena, out.s, out.n), want ? want : text, "%.60s", shown);
	size_t wrong = split_wrongly(text, strlen(text), &out);
	if (wrong > 0)
		ok(false, "%.60s: %zu splits differ", shown, wrong);
}

#define KEEP NULL /* the text stays as it is */

/* What looks like one and is none. */
static void
test_alike(void)
{
	static const char *const texts[] = {
		/* names that are no names of secrets, and code */
		"tokens: 12 passwords=3 secret_count: 5 keys: abcdef123456",
		"token_endpoint=https://a.example/token secretary: a1b2c3d4",
		"token = Name.Builtin.Pseudo", "'Token': '#d8dee9'",
		"{token:\"keyword.operator\",regex:/x/}",
		"input(prompt='Password: ', stream=None)",
		"print(\"token=\" + repr(raw))", "a.token=a.token+\".end\"",
		"passphrase = _ffi.NULL", "self.passwd = password_mgr",
		"user_pass = (self.username + x)", "req.secret = !old.secret",
		"credentials = '{0}:{1}'.format(user, passwd)",
		"private_key: \"_RSAPrivateKey\", data: bytes",
		"apiKey: process.env.API_KEY || ''", "secret: !Ref DbSecret",
		"password: !vault-encrypted", "token => generate(user)",
		"func(password: str = Field(...), token: Optional[str])",
		"if (token == \"\") return;", "password != other_password",
		"const Cookie: Cookie = Cookie {};", "cookie: a = b",
		"token: &lt;the token value&gt;", "API key: REQUIRED.",
		"arn:aws:secretsmanager:eu-west-1:123456789012:secret:a-AbCdEf",
		"def f(password: ReadableBuffer | None = None)",
		"private_key: SSHPrivateKeyTypes,",
		"UserPassword: arn:aws:iam::aws:policy/UserPassword",
		"\"AllowCredentials\": \"Whether requests have credentials\"",
		"password: see https://wiki.example/x",
		"login, password, token",
		"DB_PASSWORD=$(cat /run/x) TOKEN=${TOKEN:-none} PASS=$PASS2",
		"--password=$PW --token \"$TOKEN\" --api-key <key>",
		"--idempotency-token 91adc45q "
		"\"idempotencyToken\":\"a1b2c3d4\"",
		"--token-ttl 3600s --password-file /run/pw --password -x",
		"curl -u \"$USER:$PASS\" -u user: http://h", "tar -u a:b12345",
		"compass: 123456 bypass=abcdef1 by-pass=abcdef1",
		"<password></password><token/><secret>a<b></secret>",
		"withXSRFToken: defaultToConfig2,", "x.token = y.Token$1;",
		"const password = utils$1.get(auth, 'password') || ''",
		"credentials: isSupported ? withCredentials : undefined",
		"{credentials:fe?T:void 0}", "w.credentials=!!p.credentials),",
		"c.password = isObject && other(x)", "b = {.token = &token,",
		"token = &request->verdict.credential->token;",
		"struct token *token = &seen_at(scan, words)->token;",
		"var CancelToken = /*#__PURE__*/function () {",
		"type CompanyAuthorization = S_.V2.Core.CompanyAuthorization;",
		"`A.AccountToken`, `V2.Core.AccountToken`, `A.Account`",
		"var readCookie = arguments.length > 1 && a[1] !== b ? c : d",
		"{key:\"getSetCookie\",value:function(){var e=this.get(\"x\");",
		"\"tough-cookie\": \"^4.1.3\", \"a-password\": \"12.20.1\"",
		/* tokens of no vendor */
		"sk-loading-indicator-2-with-dashes-and-more",
		"sk-learn-1.2.3-cp311-manylinux2014x86",
		"pul-request-number-12",
		"hf_model_name_that_is_rather_long_indeed", "xoxb-", "SG.a.b",
		"npm_config_registry_url_of_the_registry_abc", "glpat-example",
		"AKIA1234", "SKU123456789012345678901234567890ab", "r8_short",
		"dapi-documentation-0123456789abcdef01234567",
		"key-0123456789abcdef", "shpat_readme", "s.substring(1)",
		"module.x8Q~", "ya29.dev", "eyJhIjoxfQ.abc.def", "eyJ.eyJ.eyJ",
		"basic QWJj", "Basic authorization", "Basic Operators",
		"Basic SFNT/TrueType tables", "bearer 123",
		"hooks.slack.com/services/your/path/here",
		"/api/webhooks/:id/:token", "&sig=short",
		"design=0123456789abcdef"
		"0123456789abcdef",
		"deadbeefdeadbeefdeadbeefdeadbeef-use", "10:AAbb 12345678:AA-",
		"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
		"grep '-----BEGIN PRIVATE KEY-----' file", "-----BEGIN RSA ",
		"-----END PRIVATE KEY-----", "ok\n-----END PRIVATE KEY-----",
		/* URLs and addresses */
		"https://user:password@example.com/", "http://h:80/p@q",
		"https://$USER:$PASS@h", "https://<user>:<pass>@h", "a://b@c.d",
		"http://h:8080#a@b", "https://medium.com/@kim/x",
		"@types/node@20.1.0 a@b root@localhost x@y.png me@1.2.3",
		"kim@web-01.service", "=@example.com", "a.@b",
		/* numbers */
		"4111 1111 1111 1112", "4111-1111-1111-1111-1",
		"4111111111111111", "x=4539578763621486",
		"{\"order\":4539578763621486}", "0.4539578763621486",
		"a4539578763621486", "4539578763621486kB", "6011 0009 9013",
		"1767225600123 1767225600123456", "1084840862118233984",
		"+1234", "+214 1234 5678", "+12 34",
		"+2147483647 +35236450.6 +4294967295 1+15551230142",
		"+1 555 123 456", "x=+4915112345678", "\n+20260301123456\n",
		"123-456-7890 2026-03-01 12:00:00 2026.03.01 01/03/2026",
		"555-1234 555-123-45678 555-123-4567-8 a555-123-4567",
		"1.555.123.4567.8 192.168.100.2000 10.20.30.40",
		"call 12345678 times, phone model 12345678, cell 1234",
		"SSN 000-12-3456 666-12-3456 900-12-3456 123-00-4567",
		"123-45-6789-0 1123-45-6789 a123-45-6789 123 45 6789",
		"DE89 3704 0044 0532 0130 01 GB82WEST1234569876543X",
		"DE8937040044053201300012 XX82WEST12345698765432",
		"01ARZ3NDEKTSV4RRFFQ69G5FAV "
		"550e8400-e29b-41d4-a716-446655440000",
		"203.0.113.7 2001:db8::1 fe80::1", "[REDACTED:phone]"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		redact_is(texts[i], KEEP);
}

#define HEX32 "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
#define B62 "Zk3kdj2Kdj7fkJ2kdj9fkWkd1j2kdfT4"

/* What the corpus has no room for. */
static void
test_found(void)
{
	/* names */
	redact_is("DB_PASS=a1b2c3d4 SMTP-PASS: a1b2c3d4",
		"DB_PASS=[password] SMTP-PASS: [password]");
	redact_is("PASSWORD_2=a1b2c3d4e5", "PASSWORD_2=[password]");
	redact_is("\\\"apiKey\\\": \\\"abc123def\\\"",
		"\\\"apiKey\\\": \\\"[api-key]\\\"");
	/* A quote before decided what the one of the value is, also when the
	 * name had quotes of its own, or a hit stood between. */
	redact_is("x\":{\"password\":\"<a1b2;c3d4\"}",
		"x\":{\"password\":\"[password]\"}");
	redact_is("{\"kim@corp.example\":{\"password\":\"<a1b2;c3d4\"}}",
		"{\"[email]\":{\"password\":\"[password]\"}}");
	/* Cleaning may have joined it to what stood before. */
	redact_is("xghp_" B62 "0a1b", "x[github-token]");
	redact_is("password=a1b2c3&d4 x", "password=[password] x");
	redact_is("password=a1b2c3d4&x=1", "password=[password]&x=1");
	redact_is("a=1&amp;token=a1b2c3d4&amp;x=1",
		"a=1&amp;token=[token]&amp;x=1");
	redact_is("password: |\n  first1\n  second2\nuser: x",
		"password: |\n  [password]\nuser: x");
	redact_is("secret: >-\r\n  abc123\r\nuser: x",
		"secret: >-\r\n  [secret]\r\nuser: x");
	redact_is("{\"name\":\"API_KEY\",\"value\":\"" B62 "\"}",
		"{\"name\":\"API_KEY\",\"value\":\"[api-key]\"}");
	redact_is("<add key='Password' value='a1b2c3d4'/>",
		"<add key='Password' value='[password]'/>");
	redact_is("<ns:password>a1b2 c3d4</ns:password>",
		"<ns:password>[password]</ns:password>");
	redact_is("[\"Authorization\",\"Bearer " B62 "\"]",
		"[\"Authorization\",\"Bearer [bearer-token]\"]");
	redact_is(
		"tool --password a1b2c3 --x", "tool --password [password] --x");
	redact_is("tool --client-secret 'a 1 b 2'",
		"tool --client-secret '[secret]'");
	redact_is("ALTER USER x WITH PASSWORD 'a1b2c3'",
		"ALTER USER x WITH PASSWORD '[password]'");
	redact_is("arn: secret:a-AbCdEf x:secret:a-AbCdEf",
		"arn: secret:[secret] x:secret:[secret]");
	redact_is("Cookie: a; c=d2d2\nHost: x", "Cookie: [cookie]\nHost: x");
	redact_is("token: Zk3kdj2Kdj7f2 password = hunter2 && x",
		"token: [token] password = [password] && x");
	redact_is("export PASSWORD=correcthorse && x password: 1.2.3.4.5",
		"export PASSWORD=[password] && x password: [password]");
	redact_is("Cookie: a=b1; c=d2\nHost: x", "Cookie: [cookie]\nHost: x");
	redact_is(
		"Set-Cookie: sid=d2d2; Path=/", "Set-Cookie: [cookie]; Path=/");
	redact_is("AWS_SECRET_ACCESS_KEY=" B62 "/abc",
		"AWS_SECRET_ACCESS_KEY=[aws-secret-key]");
	redact_is("Authorization: Digest username=\"a\", response=\"b\"\nx",
		"Authorization: Digest [authorization]\nx");
	/* headers, command lines, URLs */
	redact_is(
		"curl -u \"kim:a1b2 c3\" x", "curl -u \"kim:[basic-auth]\" x");
	redact_is("curl -s --user=kim:a1b2c3 x",
		"curl -s --user=kim:[basic-auth] x");
	redact_is("_auth=a2ltOmExYjJjM2Q0", "_auth=[basic-auth]");
	redact_is("x: basic a2ltOmExYjJjM2Q0==", "x: basic [basic-auth]");
	redact_is("a://u:p{x}y@h a://:a#b@h",
		"a://u:[url-password]@h "
		"a://:[url-password]@h");
	redact_is("?a=1&amp;sig=" B62, "?a=1&amp;sig=[url-signature]");
	/* tokens */
	redact_is("s=sk"
		  "-" B62 ".",
		"s=[openai-api-key].");
	redact_is("ghs"
		  "_12_eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.x1 y",
		"[github-token] y");
	redact_is("(xoxe"
		  ".xoxp-1-" B62 "),",
		"([slack-token]),");
	redact_is("glpat"
		  "-" B62 ".01.abc1234.",
		"[gitlab-token].");
	redact_is("bot123456789:"
		  "AAabcdefghijklmnopqrstuvwxyz0123456",
		"bot[telegram-token]");
	redact_is("x " HEX32 "-us12.", "x [mailchimp-key].");
	redact_is("-----BEGIN PRIVATE KEY-----\\r\\nMIIE\\r\\n"
		  "-----END PRIVATE KEY-----",
		"[private-key]");
	redact_is("x\n" B62 B62 "\n" B62 "\n-----END EC PRIVATE KEY-----\ny",
		"x\n[private-key]\ny");
	redact_is("\\n" B62 B62 "\\n" B62 "\\n-----END RSA PRIVATE KEY-----",
		"\\n[private-key]");
	/* people */
	redact_is("d'arcy@example.com 'kim@example.com'", "[email] '[email]'");
	redact_is(
		"4539 5787 6362 1486, 4539-5787-6362-1486.", "[card], [card].");
	redact_is(
		"card=4539578763621486 4539578763621486", "card=[card] [card]");
	redact_is("Visa 4222222222222 exp", "Visa [card] exp");
	redact_is("+44 20 7946 0958, +4915112345678; +1.415.555.0132",
		"[phone], [phone]; [phone]");
	redact_is("(415) 555-0132 415.555.0132 1-415-555-0132",
		"[phone] [phone] [phone]");
	redact_is("[REDACTED:phone] 222222110638",
		"[REDACTED:phone] "
		"222222110638");
	redact_is("phone: 4155550132, Tel. 030/90182034",
		"phone: [phone], Tel. [phone]");
	redact_is("\"workPhone\":\"4155550132\"", "\"workPhone\":\"[phone]\"");
	redact_is("ssn 536220134 and 536-22-0134, SSN: 536 22 0134",
		"ssn [ssn] and [ssn], SSN: [ssn]");
	redact_is("DE89 3704 0044 0532 0130 00 GB82-WEST-1234-5698-7654-32",
		"[iban] [iban]");
}

static bool
is_pin(const void *data, const char *kind, const char *s, size_t n)
{
	(void)data;
	return strcmp(kind, "email") == 0 && n > 6 &&
		memcmp(s, "noreply", 7) == 0;
}

static void
rules_are(const struct wv_rules *rules, const char *text, const char *want)
{
	static struct wv_str out;

	scan_whole(&out, rules, text, strlen(text));
	is(wv_dupn(&arena, out.s, out.n), want, "by rules: %s", text);
}

static void
test_rules(void)
{
	const struct wv_rule row = { .anchor = "INT-",
		.length = 4,
		.recognize = wv_prefixed,
		.kind = "internal-id",
		.chars = WV_DIGIT,
		.min = 6,
		.max = 6 };
	struct wv_rules *rules = wv_rules_new(&arena);

	wv_rules_add(rules, &row);
	wv_rules_name(rules, "door code", "pin");
	wv_rules_switch(rules, "ip-address", true);
	wv_rules_switch(rules, "github-token", false);
	wv_rules_switch(rules, "password", false);
	wv_rules_switch(rules, "phone", false);
	wv_rules_switch(rules, "iban", false);
	wv_rules_switch(rules, "iban", true);
	wv_rules_switch(rules, "no-such-kind", false);
	wv_rules_allow(rules, is_pin, NULL);
	wv_rules_ready(rules);
	rules_are(rules, "INT-123456 INT-12345 INT-1234567",
		"[internal-id] INT-12345 INT-1234567");
	rules_are(rules, "Door code: ab12cd", "Door code: [pin]");
	rules_are(rules, "indoor code: ab12cd", "indoor code: ab12cd");
	rules_are(rules, "at 203.0.113.7, 1.2.3.4.5 1.2.3.400 1.2.3",
		"at [ip-address], 1.2.3.4.5 1.2.3.400 1.2.3");
	rules_are(rules,
		"2001:db8::1 fe80::1%eth0 ::1/128 10:11:12 a::b std::x",
		"[ip-address] [ip-address]%eth0 ::1/128 10:11:12 "
		"[ip-address] std::x");
	rules_are(rules,
		"gh"
		"p_" B62 "abcd password=a1b2c3",
		"gh"
		"p_" B62 "abcd password=a1b2c3");
	rules_are(rules, "+44 20 7946 0958 DE89370400440532013000",
		"+44 20 7946 0958 [iban]");
	rules_are(rules, "noreply@example.com kim@example.com",
		"noreply@example.com [email]");
	is(wv_name_kind(rules, "Door Code", 9), "pin", "a name of the rules");
	ok(wv_name_kind(rules, "password", 8) == NULL, "a kind that is off");
	is(wv_name_kind(NULL, "password", 8), "password", "one that is on");
}

static void
test_members(void)
{
	static const struct {
		const char *name, *value, *kind;
	} members[] = { { "phone", "4155550132", "phone" },
		{ "workPhone", "+1 (415) 555-0132", "phone" },
		{ "phone", "none", NULL },
		{ "phone_model", "4155550132", NULL },
		{ "ssn", "536220134", "ssn" }, { "ssn", "000220134", NULL },
		{ "cardNumber", "4539578763621486", "card" },
		{ "cardNumber", "4539578763621487", NULL },
		{ "card_count", "4539578763621486", NULL },
		{ "cvv", "123", "card" }, { "cvv", "12345", NULL },
		{ "auth", "a2ltOmExYjJjM2Q0", "basic-auth" },
		{ "auth", "basic", NULL } };

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const char *kind = wv_member_kind(NULL, members[i].name,
			strlen(members[i].name), members[i].value,
			strlen(members[i].value));
		is(kind ? kind : "-", members[i].kind ? members[i].kind : "-",
			"%s: %s", members[i].name, members[i].value);
	}
}

/* The corpus and the scanner have the same kinds. */
static void
test_kinds(void)
{
	const char *top = getenv("top_srcdir");
	const char *path =
		wv_printf(&arena, "%s/t/data/firewall/KINDS", top ? top : ".");
	struct wv_err err = WV_ERR_INIT;
	size_t len, known = 0, count = 0;
	char *text = wv_file_read(&arena, path, 1 << 20, &len, &err), *line;

	while (text != NULL && (line = strsep(&text, "\n")) != NULL) {
		const char *name = strsep(&line, "\t");
		if (*name == '\0' || strncmp(name, "injection-", 10) == 0)
			continue;
		known += wv_kind(name) != NULL;
		if (wv_kind(name) == NULL)
			printf("# %s is no kind\n", name);
	}
	for (size_t i = 0; wv_kinds[i].name != NULL; i++)
		count += strncmp(wv_kinds[i].name, "injection-", 10) != 0;
	ok(known == count, "%zu kinds of %zu are in KINDS", known, count);
	ok(wv_kind_is_pii("phone") && !wv_kind_is_pii("jwt") &&
			!wv_kind_is_pii("no-such-kind"),
		"some are about people");
}

/* What the vector code says is what the plain code says. */
static void
test_masks(void)
{
	const struct wv_rules *rules = wv_rules_or_built_in(NULL);
	unsigned char s[64 + WV_WINDOW];
	unsigned seed = 1;
	int differ = 0;

	for (int i = 0; i < 20000; i++) {
		struct wv_masks a = { 0 }, b = { 0 };
		for (size_t k = 0; k < sizeof(s); k++) {
			seed = seed * 1103515245 + 12345;
			s[k] = (unsigned char)(i % 2 ? seed >> 16
						     : ' ' + (seed >> 16) % 95);
		}
		wv_masks_of(&rules->filter, s, &a);
		masks_of(&rules->filter, s, &b);
		differ += memcmp(&a, &b, sizeof(a)) != 0;
	}
	ok(differ == 0, "masks are the same everywhere");
}

/* Digits, what parts them and what tells about them, at random. */
static void
put_numbers(struct wv_str *out, unsigned *seed)
{
	static const char *const parts[] = { "0", "1", "2", "3", "4", "5", "6",
		"7", "8", "9", "41111", "555", "123", "4485", "2720", "378282",
		" ", "-", ".", "/", "(", ") ", "+", "tel ", "card ",
		"ssn:", "\"", "\n", "$", "a", "_", "#" };

	out->n = 0;
	while (out->n < 100) {
		*seed = *seed * 1103515245 + 12345;
		unsigned pick = *seed >> 16;
		wv_str_cat(out,
			parts[pick % 8 < 6 ? pick / 8 % 19 : pick / 8 % 32]);
	}
}

/* What the masks dismiss no recognizer would confirm. */
static void
test_dismissed(void)
{
	const struct wv_rules *rules = wv_rules_or_built_in(NULL);
	struct wv_str s = { 0 };
	unsigned seed = 1, missed = 0, confirmed = 0;
	struct wv_hit hit;

	for (int i = 0; i < 200000; i++) {
		put_numbers(&s, &seed);
		struct wv_walk w = {
			.text = { .s = s.s, .n = s.n, .rules = rules }
		};
		masks_at(&w.text, 0, &w.now);
		masks_at(&w.text, 64, &w.next);
		uint64_t starts =
			w.now.digits & ~((w.now.letters | w.now.digits) << 1);
		uint64_t good = wv_scan_numbers(&w, 0, starts);
		for (uint64_t m = starts; m != 0; m &= m - 1) {
			size_t at = (size_t)__builtin_ctzll(m);
			w.text.low = at;
			if (!wv_number(&w.text, at, NULL, &hit))
				continue;
			confirmed++;
			missed += (good & m & -m) == 0;
		}
	}
	wv_str_free(&s);
	ok(confirmed > 1000 && missed == 0, "of %u numbers %u are missed",
		confirmed, missed);
}

static struct wv_str
join(const cJSON *parts)
{
	struct wv_str all = { 0 };

	wv_json_each(part, parts)
		wv_str_add(&all, part->valuestring, (size_t)part->valueint);
	return all;
}

static void
test_splits(const char *name)
{
	const char *top = getenv("top_srcdir");
	char *files[] = { wv_printf(&arena, "%s/t/data/firewall/%s.jsonl",
				  top ? top : ".", name),
		NULL };
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	struct wv_arena lines = WV_ARENA_INIT;
	struct wv_record rec;
	struct wv_lines in;
	size_t count = 0, wrong = 0;

	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &lines, &rec) == 1) {
		struct wv_str text = join(wv_get(rec.tree, "text"));
		struct wv_str whole = { 0 };
		scan_whole(&whole, NULL, text.s ? text.s : "", text.n);
		size_t bad = split_wrongly(text.s, text.n, &whole);
		if (bad > 0)
			printf("# %s: %zu\n", wv_get_string(rec.tree, "id"),
				bad);
		wrong += bad;
		count++;
		wv_str_free(&text);
		wv_str_free(&whole);
		wv_arena_reset(&lines);
	}
	ok(wv_lines_close(&in) == 0 && count > 0, "%zu %s", count, name);
	ok(wrong == 0, "%s split anywhere: %zu differ", name, wrong);
	wv_arena_free(&lines);
}

/* The steps that scanning n bytes of a piece takes, over and over. */
static size_t
steps(const char *piece, size_t n, size_t block)
{
	static const struct stream fresh;
	size_t length = strlen(piece);
	struct wv_str out = { 0 };
	char *text = wv_xmalloc(n + 1);

	for (size_t i = 0; i < n; i++)
		text[i] = piece[i % length];
	wv_scan_steps = 0;
	if (block == 0) {
		scan_whole(&out, NULL, text, n);
	} else {
		struct stream st = fresh;
		for (size_t i = 0; i < n; i += block)
			feed(&st, &out, text + i, n - i < block ? n - i : block,
				false);
		feed(&st, &out, "", 0, true);
	}
	wv_str_free(&out);
	free(text);
	return wv_scan_steps;
}

/* Hostile text: twice of it takes twice as many steps, and not too many. */
static void
test_hostile(void)
{
	static const char *const pieces[] = { "A", "7", "=", ":", "-", "/",
		"\\", "\"", "\n", " ", "@", "a@", "a@b.", "a.b@c.d-", "a.",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.",
		"://", "://u:", "a://u:p@", "a://u:p#", "//x:a@",
		"password=", "password=\"", "password='${",
		"password=\\\"x\\\\\\\"", "password=\\\\\"${",
		"password: |\n  ", "password: |\n x\n", "password\": [\"",
		"\"password\",\"value\":\"<", "--password ", "<password>",
		"<password>x", "token: ", "token:::", "secret=a,",
		"key key key api key ", "apikey-", "apikey_1",
		"Authorization: Basic ", "authorization:digest ", "cookie: a",
		"set-cookie: a=b;", "cookie=", "Bearer ",
		"bearer aaaaaaaaaaaaaaaaaaaaaaaaa ", "basic QWxhZGRpbjpv",
		"curl -u a", "curl -u a:b ", "curl -u ", "-u ",
		"?sig=", "&sig=aaaaaaaaa", "sk-", "sk-aaaaaaaaaaaa", "sk-proj-",
		"ghp_", "ghs_1_eyJ", "glpat-", "glpat-.", "glpat-aaaaaaaaaa.",
		"eyJ", "eyJ.", "eyJaaaaaaaaaa.", "eyJaaaaaaaaaa.eyJ", "xoxb-",
		"xoxe.xox", "SG.", "SG.aaaaaaaaaaaaaaaa.", "8Q~", "JQQJ99",
		"123456789:AA", ":AA", "-us1", "0a1b2c3d4e5f-us", ".atlasv1.",
		"hooks.slack.com/", "/api/webhooks/", "ATATT3", "ABSK",
		"-----BEGIN ", "-----END ", "-----BEGIN PRIVATE KEY-----",
		"-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n",
		"AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKKK\n",
		"AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKKK\n-----END ",
		"\"-----BEGIN PRIVATE KEY-----\\nAAAABBBBCCCCDDDD\" ",
		"-----BEGIN PRIVATE KEY-----\n-----END ",
		"[REDACTED:", "[REDACTED:x]", "password=[REDACTED:x]", "4111 ",
		"4111-", "4111 1111 1111 1112 ", "+1 ", "+1 (", "(555) ",
		"555-", "call 1 ", "078-05-", "1.2.3.4.", "2026-03-01 ", "DE89",
		"DE89 3704 0044 0532 0130 01 ", "GB", "\xc3\xa4", "\xff",
		"\xc3\xa4@\xc3\xa4." };
	size_t bad = 0;

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		enum { SIZE = 1 << 18, STREAM = 1 << 15, MOST = 250 };
		size_t a = steps(pieces[i], SIZE, 0);
		size_t b = steps(pieces[i], 2 * SIZE, 0);
		size_t c = steps(pieces[i], STREAM, 16);
		size_t d = steps(pieces[i], 2 * STREAM, 16);
		bool good = b * 10 <= a * 22 && a <= (size_t)SIZE * MOST;
		bool streams = d * 10 <= c * 24;
		if (getenv("V"))
			printf("# %-40.40s %zu %.1f x%.2f, stream %.1f x%.2f\n",
				pieces[i], a, (double)a / SIZE,
				(double)b / (double)a, (double)c / STREAM,
				(double)d / (double)c);
		bad += !good || !streams;
		if (!good || !streams)
			printf("# %s: %zu and %zu steps, in a stream %zu and "
			       "%zu\n",
				pieces[i], a, b, c, d);
	}
	ok(bad == 0, "hostile text is scanned in linear time: %zu is not", bad);
}

/* The bucket of a built-in row, as the search finds it. */
static char
bucket_found(
	const struct wv_rule *rows, size_t count, const struct wv_rule *row)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].anchor == row->anchor &&
			rows[i].recognize == row->recognize)
			return (char)('a' + rows[i].bucket - 1);
	return '.';
}

static void
test_buckets(void)
{
	const struct wv_rules *rules = wv_rules_or_built_in(NULL);
	static struct wv_prefilter filter;
	struct wv_rule *rows = wv_alloc(&arena, rules->count * sizeof(*rows));
	struct wv_str known = { 0 }, found = { 0 };

	for (size_t i = 0; i < rules->count; i++) {
		rows[i] = rules->rows[i];
		rows[i].bucket = 0;
	}
	wv_filter_rows(&filter, rows, rules->count);
	for (size_t i = 0; i < wv_built_in_count; i++) {
		wv_str_chr(&known, (char)('a' + wv_filter_bucket(i) - 1));
		wv_str_chr(&found,
			bucket_found(rows, rules->count, &wv_built_in[i]));
	}
	is(known.s, found.s, "the buckets of the built-in rows are known");
	ok(memcmp(filter.passes, rules->filter.passes, sizeof(filter.passes)) ==
			0,
		"they make the same filter");
	wv_str_free(&known);
	wv_str_free(&found);
}

int
main(void)
{
	test_buckets();
	test_kinds();
	test_masks();
	test_dismissed();
	test_alike();
	test_found();
	test_members();
	test_rules();
	test_splits("positives");
	test_splits("negatives");
	test_hostile();
	wv_arena_free(&arena);
	return done();
}
