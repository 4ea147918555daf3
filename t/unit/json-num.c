/* SPDX-License-Identifier: Apache-2.0 */
/* Exact decimals.  Cases B15, B17; RFC 8785 appendix B. */
#include "json/num.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static struct wv_arena arena;
static struct wv_str out;

/* As the reader makes it, so that both forms of a number are met. */
static cJSON *
num(const char *text)
{
	struct wv_json_limits limits = wv_json_defaults;
	size_t n = strlen(text);
	char *copy = malloc(n + WV_JSON_SLACK);
	struct wv_err err = WV_ERR_INIT;
	cJSON *node;

	limits.max_digits = 100000;
	memcpy(copy, text, n + 1);
	node = wv_json_read(&arena, copy, n, &limits, &err);
	free(copy);
	if (!wv_is_number(node)) {
		printf("Bail out! %s is no number: %s\n", text, err.text);
		exit(1);
	}
	return node;
}

static int
sign(int n)
{
	return (n > 0) - (n < 0);
}

static void
compares(const char *a, int want, const char *b)
{
	ok(sign(wv_num_cmp(num(a), num(b))) == want &&
			sign(wv_num_cmp(num(b), num(a))) == -want,
		"%s %c %s", a, "<=>"[want + 1], b);
}

static void
test_cmp(void)
{
	compares("1", 0, "1.0");
	compares("1", 0, "1e0");
	compares("100", 0, "1e2");
	compares("100", 0, "10.0e+1");
	compares("0.001", 0, "1E-3");
	compares("-0", 0, "0");
	compares("-0.0", 0, "0e5");
	compares("-0.0", 0, "0e999999999999999999");
	compares("1", 1, "-1");
	compares("-2", -1, "-1");
	compares("-1.5", -1, "-1.25");
	compares("0", -1, "1e-999999999999999999");
	compares("0", 1, "-1e-999999999999999999");
	compares("1e400", 1, "1e399");
	compares("1e400", 0, "10e399");
	compares("9007199254740993", 1, "9007199254740992");
	compares("9007199254740993", 1, "9007199254740992.9999");
	compares("12345678901234567890", -1, "12345678901234567891");
	compares("0.1", -1, "0.10000000000000000000000001");
	compares("999999999999999", -1, "1000000000000000");
	compares("123", -1, "1.24e2");
	compares("1e999999999999999999", 1, "9e999999999999999998");
}

static void
test_integer(void)
{
	/* cases B17 */
	static const char *const yes[] = { "0", "-0", "-0.0", "1.0", "1e2",
		"1.5e1", "-120e-1", "1e400", "0e-5", "123456789012345678901",
		"1.50e1", "100e-2", NULL };
	static const char *const no[] = { "0.5", "1.5", "1e-1", "15e-1",
		"1e-400", "-12.01", "1.05e1", "1e-999999999999999999", NULL };

	for (size_t i = 0; yes[i]; i++)
		ok(wv_num_is_integer(num(yes[i])), "%s is whole", yes[i]);
	for (size_t i = 0; no[i]; i++)
		ok(!wv_num_is_integer(num(no[i])), "%s is not whole", no[i]);
}

static void
multiple(const char *a, const char *b, bool want)
{
	ok(wv_num_multiple_of(num(a), num(b)) == want,
		"%s is %s multiple of %s", a, want ? "a" : "no", b);
}

static void
test_multiple(void)
{
	char *big = malloc(8192), *part = malloc(8192);

	/* cases B15 */
	multiple("300.52", "0.01", true);
	multiple("0.3", "0.1", true);
	multiple("314201340.720", "0.001", true);
	multiple("1", "0.1", true);
	multiple("0.35", "0.1", false);
	multiple("0", "7", true);
	multiple("-0.0", "0.3", true);
	multiple("9", "3", true);
	multiple("-9", "3", true);
	multiple("10", "4", false);
	multiple("10", "-5", true);
	multiple("1e400", "7", false);
	multiple("1e400", "8", true);
	multiple("1e999999999999999999", "1024", true);
	multiple("1e999999999999999999", "1e-999999999999999999", true);
	multiple("1e-999999999999999999", "1e999999999999999999", false);
	multiple("1e999999999999999999", "3", false);
	multiple("3e999999999999999999", "3", true);
	multiple("5", "10", false);
	multiple("1e-5", "1e-7", true);
	multiple("1e-7", "1e-5", false);
	multiple("12345678901234567890", "2", true);
	multiple("12345678901234567891", "2", false);
	multiple("9007199254740993", "9007199254740993", true);
	multiple("9007199254740992", "9007199254740993", false);
	multiple("121932631137021795226185032733622923332237463801111263526900",
		"123456789012345678901234567890", true);
	multiple("121932631137021795226185032733622923332237463801111263526901",
		"123456789012345678901234567890", false);
	multiple("999999999999999999999999999999999999", "999999999999999999",
		true);
	multiple("1e30", "1000000001", false);
	multiple("1e30", "1073741824", true);
	multiple("1e29", "1073741824", false);

	/* (10^4096 - 1) = (10^2048 - 1)(10^2048 + 1) */
	memset(big, '9', 4096);
	big[4096] = '\0';
	memset(part, '9', 2048);
	part[2048] = '\0';
	ok(wv_num_multiple_of(num(big), num(part)), "4,096 digits by 2,048");
	part[0] = '1';
	part[2047] = '1';
	memset(part + 1, '0', 2046);
	ok(!wv_num_multiple_of(num(big), num(part)), "… and not a multiple");
	strcpy(big + 4096, "e999999999999999999");
	memset(part, '7', 4095);
	part[4095] = '\0';
	ok(!wv_num_multiple_of(num(big), num(part)), "… with a long exponent");
	free(big);
	free(part);
}

static void
fits(const char *text, bool want, int64_t value)
{
	int64_t got = 0;

	ok(wv_num_int64(num(text), &got) == want && (!want || got == value),
		"%s %s an int64", text, want ? "is" : "is not");
}

static void
test_int64(void)
{
	fits("0", true, 0);
	fits("-0", true, 0);
	fits("0e999", true, 0);
	fits("42.0", true, 42);
	fits("-1.2e1", true, -12);
	fits("1e18", true, 1000000000000000000);
	fits("9223372036854775807", true, INT64_MAX);
	fits("9223372036854775808", false, 0);
	fits("-9223372036854775808", true, INT64_MIN);
	fits("-9223372036854775809", false, 0);
	fits("9999999999999999999", false, 0);
	fits("1e19", false, 0);
	fits("1e400", false, 0);
	fits("0.5", false, 0);
	fits("1e999999999999999999", false, 0);
}

static void
canonical(const char *text, const char *want)
{
	out.n = 0;
	wv_num_canonical(&out, num(text));
	is(out.s, want, "canonical %s", text);
}

static void
test_canonical(void)
{
	canonical("-0", "0");
	canonical("0.000", "0");
	canonical("-0e7", "0");
	canonical("7", "7");
	canonical("-15", "-15");
	canonical("1.0", "1");
	canonical("1.10", "1.1");
	canonical("1e2", "100");
	canonical("12e-1", "1.2");
	canonical("100000000000000000000", "100000000000000000000");
	canonical("1e20", "100000000000000000000");
	canonical("1e21", "1e+21");
	canonical("123e20", "1.23e+22");
	canonical("1e400", "1e+400");
	canonical("0.000001", "0.000001");
	canonical("1.5e-6", "0.0000015");
	canonical("0.0000001", "1e-7");
	canonical("-12.5e-8", "-1.25e-7");
	canonical("123.456", "123.456");
	canonical("9007199254740993", "9007199254740993");
	canonical("1234567890123456789012.5", "1.2345678901234567890125e+21");
	canonical("1e-999999999999999999", "1e-999999999999999999");
	canonical("0.30000000000000004", "0.30000000000000004");
}

/* RFC 8785 appendix B: bits and form. */
static const struct {
	uint64_t bits;
	const char *form;
} vectors[] = {
	{ 0x0000000000000000, "0" },
	{ 0x0000000000000001, "5e-324" },
	{ 0x8000000000000001, "-5e-324" },
	{ 0x7fefffffffffffff, "1.7976931348623157e+308" },
	{ 0xffefffffffffffff, "-1.7976931348623157e+308" },
	{ 0x4340000000000000, "9007199254740992" },
	{ 0xc340000000000000, "-9007199254740992" },
	{ 0x4430000000000000, "295147905179352830000" },
	{ 0x44b52d02c7e14af5, "9.999999999999997e+22" },
	{ 0x44b52d02c7e14af6, "1e+23" },
	{ 0x44b52d02c7e14af7, "1.0000000000000001e+23" },
	{ 0x444b1ae4d6e2ef4e, "999999999999999700000" },
	{ 0x444b1ae4d6e2ef4f, "999999999999999900000" },
	{ 0x444b1ae4d6e2ef50, "1e+21" },
	{ 0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7" },
	{ 0x3eb0c6f7a0b5ed8d, "0.000001" },
	{ 0x41b3de4355555553, "333333333.3333332" },
	{ 0x41b3de4355555554, "333333333.33333325" },
	{ 0x41b3de4355555555, "333333333.3333333" },
	{ 0x41b3de4355555556, "333333333.3333334" },
	{ 0x41b3de4355555557, "333333333.33333343" },
	{ 0xbecbf647612f3696, "-0.0000033333333333333333" },
	{ 0x43143ff3c1cb0959, "1424953923781206.2" },
};

static void
test_vectors(void)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const cJSON *node = num(vectors[i].form);
		double value = wv_num_double(node);
		uint64_t bits;

		memcpy(&bits, &value, sizeof(bits));
		ok(bits == vectors[i].bits && wv_num_is_double(node),
			"%s is its double", vectors[i].form);
		canonical(vectors[i].form, vectors[i].form);
	}
}

static void
test_is_double(void)
{
	static const char *const yes[] = { "-0", "0e400", "0.1", "1.10", "1e3",
		"1e23", "123456789012345e290", "1e-320",
		"2.2250738585072014e-308",
		/* the nearest 16 digits to 2^-44 name another double */
		"5.684341886080802e-14", "5.684341886080801e-14",
		"9007199254740991", "9007199254740994", "10000000000000000",
		"123456789012345680000", NULL };
	static const char *const no[] = { "9007199254740993", "1e400", "-1e400",
		"1e-400", "333333333.33333329", "0.1000000000000000055",
		"5.6843418860808015e-14", "123456789012345678", "4.94e-324",
		"3e-324", "4.9406564584124654e-324", "9007199254740992.5",
		"1.7976931348623158e308", "295147905179352825856", NULL };

	for (size_t i = 0; yes[i]; i++)
		ok(wv_num_is_double(num(yes[i])), "%s is a double", yes[i]);
	for (size_t i = 0; no[i]; i++)
		ok(!wv_num_is_double(num(no[i])), "%s is no double", no[i]);
	ok(isinf(wv_num_double(num("1e400"))), "past the range is infinite");
	ok(wv_num_double(num("-2.5")) == -2.5 && wv_num_double(num("7")) == 7,
		"doubles");
}

static void
test_built(void)
{
	static const int64_t values[] = { 0, 1, -1, 999999999999999,
		1000000000000000, -999999999999999, -1000000000000000,
		INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		cJSON *node = wv_json_int(&arena, values[i]);
		char want[32];
		int64_t back;

		snprintf(want, sizeof(want), "%lld", (long long)values[i]);
		out.n = 0;
		wv_json_write(&out, node);
		is(out.s, want, "built %s", want);
		ok(wv_num_int64(node, &back) && back == values[i] &&
				wv_num_cmp(node, num(want)) == 0,
			"… and read back");
	}
	ok(wv_num_cmp(wv_json_number(&arena, "12"), num("12.0")) == 0,
		"a number built from text");
}

int
main(void)
{
	test_cmp();
	test_integer();
	test_multiple();
	test_int64();
	test_canonical();
	test_vectors();
	test_is_double();
	test_built();
	wv_str_free(&out);
	wv_arena_free(&arena);
	return done();
}
