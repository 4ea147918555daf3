/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 and HMAC: FIPS 180-4 examples and RFC 4231 section 4. */
#include "tap.h"

#include "base/digest.h"

static void
sha(const char *text, const char *want)
{
	char hex[WV_SHA256_HEX];

	wv_sha256_hex(hex, text, strlen(text));
	is(hex, want, "SHA-256 of '%s'", text);
}

static void
test_sha256(void)
{
	sha("",
		"e3b0c44298fc1c149afbf4c8996fb924"
		"27ae41e4649b934ca495991b7852b855");
	sha("abc",
		"ba7816bf8f01cfea414140de5dae2223"
		"b00361a396177a9cb410ff61f20015ad");
	sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		"248d6a61d20638b8e5c026930c3e6039"
		"a33ce45964ff2167f6ecedd419db06c1");

	struct wv_sha256 ctx;
	unsigned char sum[WV_SHA256];
	char hex[WV_SHA256_HEX];
	wv_sha256_start(&ctx);
	for (int i = 0; i < 1000000; i += 1000) {
		char as[1000];
		memset(as, 'a', sizeof as);
		wv_sha256_add(&ctx, as, sizeof as);
	}
	wv_sha256_add(&ctx, NULL, 0);
	wv_sha256_end(&ctx, sum);
	wv_hex(hex, sum, sizeof sum);
	is(hex,
		"cdc76e5c9914fb9281a1c7e284d73e67"
		"f1809a48a497200e046d39ccc7112cd0",
		"a million times 'a', in pieces");
}

static void
test_hmac(void)
{
	char hex[WV_SHA256_HEX];
	unsigned char key[131], data[50];
	const char *text;

	memset(key, 0x0b, 20);
	wv_hmac_hex(hex, key, 20, "Hi There", 8);
	is(hex,
		"b0344c61d8db38535ca8afceaf0bf12b"
		"881dc200c9833da726e9376c2e32cff7",
		"RFC 4231 case 1");
	text = "what do ya want for nothing?";
	wv_hmac_hex(hex, "Jefe", 4, text, strlen(text));
	is(hex,
		"5bdcc146bf60754e6a042426089575c7"
		"5a003f089d2739839dec58b964ec3843",
		"case 2");
	memset(key, 0xaa, sizeof key);
	memset(data, 0xdd, sizeof data);
	wv_hmac_hex(hex, key, 20, data, 50);
	is(hex,
		"773ea91e36800e46854db8ebd09181a7"
		"2959098b3ef8c122d9635514ced565fe",
		"case 3");
	for (int i = 0; i < 25; i++)
		key[i] = (unsigned char)(i + 1);
	memset(data, 0xcd, sizeof data);
	wv_hmac_hex(hex, key, 25, data, 50);
	is(hex,
		"82558a389a443c0ea4cc819899f2083a"
		"85f0faa3e578f8077a2e3ff46729665b",
		"case 4");
	memset(key, 0xaa, sizeof key);
	text = "Test Using Larger Than Block-Size Key - Hash Key First";
	wv_hmac_hex(hex, key, sizeof key, text, strlen(text));
	is(hex,
		"60e431591ee0b67f0d8a26aacbf5b77f"
		"8e0bc6213728c5140546040f0ee37f54",
		"case 6");
	text = "This is a test using a larger than block-size key and a larger "
	       "than block-size data. The key needs to be hashed before being "
	       "used by the HMAC algorithm.";
	wv_hmac_hex(hex, key, sizeof key, text, strlen(text));
	is(hex,
		"9b09ffa71b942fcb27635fbcd5b0e944"
		"bfdc63644f0713938a7f51535c3a35e2",
		"case 7");
}

static void
test_compare(void)
{
	char hex[WV_SHA256_HEX + 1];

	ok(wv_equal_const_time("abc", "abc", 3), "equal");
	ok(!wv_equal_const_time("abc", "abd", 3), "not equal");
	ok(wv_equal_const_time("abc", "abd", 2), "in the first bytes");
	ok(wv_equal_const_time("", "", 0), "nothing equals nothing");

	memset(hex, 'a', sizeof hex);
	hex[64] = '\0';
	ok(wv_is_sha256_hex(hex), "64 digits");
	hex[63] = '\0';
	ok(!wv_is_sha256_hex(hex), "63");
	hex[63] = hex[64] = 'a';
	hex[65] = '\0';
	ok(!wv_is_sha256_hex(hex), "65");
	hex[64] = '\0';
	hex[0] = 'A';
	ok(!wv_is_sha256_hex(hex), "upper case");
	hex[0] = 'g';
	ok(!wv_is_sha256_hex(hex), "no digit");
	ok(!wv_is_sha256_hex(""), "nothing");
}

int
main(void)
{
	test_sha256();
	test_hmac();
	test_compare();
	return done();
}
