/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and signatures: RFC 8032 section 7.1, RFC 6979 A.2.5, RFC 7515
 * A.3, and everything that is refused. */
#include "keys.h"

#include "contract/crypto.h"

/* Of {"b":1,"a":"x","n":{"z":[1.5,true],"y":null}}. */
#define ED25519_SIG \
	"lfTUBslwW3K9XEmXlhcR2Eavm_5HNPaQnzRI889KvHi8TwuCetu4nyDFBjCILO4M" \
	"hDH6xhRNOoK9zfO5tEZJBg"
#define ES256_SIG \
	"o4H33XHelrfaCix9Pw0B4QeyzppkxfOLXmwxZ_R9e0meoBUYz3p7vIlAOUZikV4Q" \
	"IujW6e8Ybp-olRAp7_J_9Q"
#define CONTENT "\"b\":1,\"a\":\"x\",\"n\":{\"z\":[1.5,true],\"y\":null}"

static struct wv_arena arena;

static void
refused_key(const char *alg, const char *text, const char *what)
{
	struct wv_key key = { 0 };
	struct wv_err err = WV_ERR_INIT;
	int result = wv_key_read(&key, wv_alg_find(alg), text, &err);

	ok(result == -1 && strstr(err.text, "not a key of") != NULL,
		"%s is no key of %s", what, alg);
	wv_key_free(&key);
}

static void
test_refused_keys(void)
{
	refused_key("ed25519", "", "nothing");
	refused_key("ed25519", ED25519 "=", "one with padding");
	refused_key("ed25519", ED25519 "A", "one that is too long");
	refused_key("ed25519", "I_Ck9eQ2Xta7KeU3ykivPnNZt8EtrWt0OTN3AoY_9q",
		"one that is too short");
	refused_key("ed25519", "I_Ck9eQ2Xta7KeU3ykivPnNZt8EtrWt0OTN3AoY_9qJ",
		"one whose spare bits are set");
	refused_key("ed25519", "I/Ck9eQ2Xta7KeU3ykivPnNZt8EtrWt0OTN3AoY/9qI",
		"the alphabet of base64");
	refused_key("ed25519", ES256_SHORT, "a point of P-256");
	refused_key("es256", ED25519, "an Ed25519 key");
	refused_key("es256",
		"BFueoMZP6ovadcW4ZcfGPXWmVm2PBy75TKCIowCeoEHexsmf4-T28P7MRNHm"
		"Clr-H43fzZzTXMnpoJF2HRjatpg",
		"a point that is not on the curve");
	refused_key("es256",
		"B1ueoMZP6ovadcW4ZcfGPXWmVm2PBy75TKCIowCeoEHexsmf4-T28P7MRNHm"
		"Clr-H43fzZzTXMnpoJF2HRjatpk",
		"the hybrid form");
	refused_key("es256", "AA", "the point at infinity");
	ok(wv_alg_find("rsa") == NULL && wv_alg_find("Ed25519") == NULL,
		"no other algorithm, nor another spelling");
}

/* Under a key of small order a signature of zeros fits any text. */
static void
test_weak_keys(void)
{
	static const char *const texts[] = {
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA",
		"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA",
		"JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU",
		"JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_IU",
		"xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o",
		"xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA_o",
		"7P_______________________________________38",
		"7P________________________________________8",
		"7f_______________________________________38",
		"7v________________________________________8",
		"_________________________________________38",
	};
	struct wv_key key = { 0 };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wv_err err = WV_ERR_INIT;
		ok(wv_key_read(&key, wv_alg_find("ed25519"), texts[i], &err) ==
					-1 &&
				strstr(err.text, "a weak key of ed25519") !=
					NULL,
			"%s is weak", texts[i]);
	}
	refused(KEYS(ENTRY("a", "ed25519",
			"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")),
		57, "a weak key");
}

static void
from_hex(unsigned char *out, const char *hex)
{
	for (; *hex != '\0'; hex += 2) {
		char two[] = { hex[0], hex[1], '\0' };
		*out++ = (unsigned char)strtoul(two, NULL, 16);
	}
}

static void
vector(const char *name, const char *alg, const char *key_text,
	const char *sig_hex, const char *text, size_t len)
{
	struct wv_key key = { 0 };
	unsigned char sig[WV_SIGNATURE_BYTES];
	struct wv_err err = WV_ERR_INIT;

	from_hex(sig, sig_hex);
	if (!ok(wv_key_read(&key, wv_alg_find(alg), key_text, &err) == 0,
		    "%s: the key", name))
		return;
	ok(wv_key_verify(&key, sig, text, len), "%s: verified", name);
	for (int bit = 0; bit < 8 * WV_SIGNATURE_BYTES; bit += 37) {
		sig[bit / 8] ^= (unsigned char)(1 << bit % 8);
		if (wv_key_verify(&key, sig, text, len))
			ok(false, "%s: bit %d may change", name, bit);
		sig[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	ok(!wv_key_verify(&key, sig, "other", 5), "%s: not of another text",
		name);
	wv_key_free(&key);
}

static void
test_vectors(void)
{
	static const char jws[] =
		"eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzO"
		"DAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

	vector("RFC 8032, test 1", "ed25519",
		"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
		"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901"
		"55"
		"5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a10"
		"0b",
		"", 0);
	vector("RFC 8032, test 2", "ed25519",
		"PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw",
		"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69"
		"da"
		"085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c"
		"00",
		"\x72", 1);
	vector("RFC 6979, P-256", "es256",
		"BGD-1LolWp0xyWHrdMY1bWjASbiSO2H6bOZpYi5g8p-2eQP-EAi4vJmkGunpVi"
		"i8ZPLxsgwtfp9Rd6PClNRGIpk",
		"efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf37"
		"16"
		"f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acd"
		"a8",
		"sample", 6);
	vector("RFC 7515, A.3", "es256",
		"BH_Nzidw9sRdQYPL7m_bS3tYBzM1e-nvE7rPbjx70VRFx_FEzRu9m36HLN_t"
		"ue659LNpXW6pCyStikYjKIWI5a0",
		"0ed1215379636c483c2f7f155807d402a3b228033af97c7e17819ac3169ea6"
		"65"
		"c50a07d38c3c70e5d8f12daf084a5480a66590c5f293509a8f3f7f8a83a354"
		"d5",
		jws, sizeof jws - 1);
}

/* r and s of 0, of the order of the curve, and beyond. */
static void
test_ranges(void)
{
	static const char order[] = "ffffffff00000000ffffffffffffffff"
				    "bce6faada7179e84f3b9cac2fc632551";
	static const char zero[] = "00000000000000000000000000000000"
				   "00000000000000000000000000000000";
	static const char one[] = "00000000000000000000000000000000"
				  "00000000000000000000000000000001";
	static const char *const pairs[][2] = { { zero, one }, { one, zero },
		{ zero, zero }, { order, one }, { one, order },
		{ order, order } };
	struct wv_key key = { 0 };
	struct wv_err err = WV_ERR_INIT;

	wv_key_read(&key, wv_alg_find("es256"), ES256, &err);
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		unsigned char sig[WV_SIGNATURE_BYTES];
		from_hex(sig, pairs[i][0]);
		from_hex(sig + 32, pairs[i][1]);
		ok(!wv_key_verify(&key, sig, "x", 1), "out of range %zu", i);
	}
	wv_key_free(&key);
}

static void
check(const struct wv_keyring *ring, const char *text, const char *member,
	enum wv_signature want, const char *why)
{
	struct wv_str padded = { 0 };
	struct wv_err err = WV_ERR_INIT, told = WV_ERR_INIT;
	enum wv_signature got;
	cJSON *object;

	wv_str_cat(&padded, text);
	memset(wv_str_room(&padded, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	object = wv_json_read(
		&arena, padded.s, padded.n, &wv_json_defaults, &err);
	got = wv_signature_check(object, member, ring, &told);
	if (!ok(object != NULL && got == want && strstr(told.text, why) != NULL,
		    "%s", why[0] ? why : "signed"))
		printf("# %s\n# %d: %s\n", err.text, (int)got, told.text);
	wv_str_free(&padded);
}

#define OBJECT(sig) "{" CONTENT ",\"signature\":" sig "}"
#define SIG(alg, kid, sig) \
	"{\"alg\":\"" alg "\",\"kid\":\"" kid "\",\"sig\":\"" sig "\"}"

static void
test_check(const struct wv_keyring *ring)
{
	check(ring, OBJECT(SIG("ed25519", "a", ED25519_SIG)), "signature",
		WV_SIGNED, "");
	check(ring, OBJECT(SIG("es256", "b", ES256_SIG)), "signature",
		WV_SIGNED, "");
	check(ring,
		"{\"x_weaver_signature\":{\"canonicalization\":\"JCS\","
		"\"alg\":\"es256\",\"kid\":\"c\",\"sig\":\"" ES256_SIG
		"\",\"signed_at\":\"whenever\"},"
		"\"n\":{\"z\":[15e-1,true],\"y\":null},\"a\":\"\\u0078\","
		"\"b\":1.0}",
		"x_weaver_signature", WV_SIGNED, "");
	check(ring, OBJECT("null"), "signature", WV_NOT_SIGNED, "not signed");
	check(ring, "{}", "x_weaver_signature", WV_NOT_SIGNED,
		"there is no x_weaver_signature");
	check(ring, OBJECT(SIG("ed25519", "z", ED25519_SIG)), "signature",
		WV_KEY_UNKNOWN, "key \"z\" is not in the keyring");
	check(NULL, OBJECT(SIG("ed25519", "a", ED25519_SIG)), "signature",
		WV_KEY_UNKNOWN, "key \"a\" is not in the keyring");
}

static void
bad(const struct wv_keyring *ring, const char *text, const char *why)
{
	check(ring, text, "signature", WV_SIGNATURE_BAD, why);
}

static void
test_bad(const struct wv_keyring *ring)
{
	bad(ring, OBJECT("\"x\""), "a signature is an object");
	bad(ring, OBJECT("{}"), "no alg");
	bad(ring, OBJECT(SIG("ES256", "b", ES256_SIG)),
		"alg \"ES256\" is none");
	bad(ring, OBJECT(SIG("none", "a", "")), "alg \"none\" is none of");
	bad(ring, OBJECT(SIG("es256", "a", ES256_SIG)),
		"key \"a\" is of ed25519, the signature of es256");
	bad(ring, OBJECT(SIG("es256", "", ES256_SIG)), "no kid");
	bad(ring,
		OBJECT("{\"alg\":\"es256\",\"kid\":\"b\",\"sig\":\"" ES256_SIG
		       "\",\"canonicalization\":\"jcs\"}"),
		"canonicalization must be \"JCS\"");
	bad(ring,
		OBJECT("{\"alg\":\"es256\",\"kid\":\"b\",\"sig\":\"" ES256_SIG
		       "\",\"canonicalization\":null}"),
		"canonicalization must be \"JCS\"");
	bad(ring, OBJECT("{\"alg\":\"es256\",\"kid\":\"b\"}"), "sig must be");
	bad(ring, OBJECT(SIG("es256", "b", ES256_SIG "=")), "sig must be");
	bad(ring, OBJECT(SIG("es256", "b", ES256_SIG "==")), "sig must be");
	bad(ring, OBJECT(SIG("es256", "b", ES256_SIG "\\n")), "sig must be");
	bad(ring, OBJECT(SIG("ed25519", "a", ES256_SIG)), "does not match");
	bad(ring,
		"{\"a\":1,\"signature\":" SIG("ed25519", "a", ED25519_SIG) "}",
		"does not match");
	bad(ring,
		"{\"extra\":1," CONTENT
		",\"signature\":" SIG("ed25519", "a", ED25519_SIG) "}",
		"does not match");
	bad(ring,
		"{\"big\":9007199254740993,\"signature\":" SIG(
			"ed25519", "a", ED25519_SIG) "}",
		"/big: RFC 8785 cannot write the number 9007199254740993");
}

/* The last character of 86 has four bits to spare. */
static void
test_spare_bits(const struct wv_keyring *ring)
{
	struct wv_str text = { 0 };

	wv_str_cat(&text, OBJECT(SIG("ed25519", "a", ED25519_SIG)));
	text.s[text.n - 4]++; /* Bg" -> Bh" */
	bad(ring, text.s, "sig must be");
	wv_str_free(&text);
}

int
main(void)
{
	struct wv_keyring *ring;
	struct wv_err err = WV_ERR_INIT;

	make_path();
	ok(wv_crypto_start(&err) == 0, "libcrypto");
	test_refused_keys();
	test_weak_keys();
	test_vectors();
	test_ranges();
	ring = load(KEYS(ENTRY("a", "ed25519", ED25519) "," ENTRY(
		"b", "es256", ES256) "," ENTRY("c", "es256", ES256_SHORT)));
	test_check(ring);
	test_bad(ring);
	test_spare_bits(ring);
	wv_keyring_free(ring);
	wv_arena_free(&arena);
	unlink(path);
	return done();
}
