/* SPDX-License-Identifier: Apache-2.0 */
/* Private keys: RFC 8032 section 7.1, what is signed and verified, and the
 * files that are read and refused. */
#include "tap.h"

#include "contract/base64url.h"
#include "contract/sign-internal.h"

#include <stdlib.h>

/* PKCS#8 (RFC 8410, RFC 5958) up to the bytes of the key. */
#define ED25519 "302e020100300506032b657004220420"
/* P-256 up to the key, its public half after it, and both. */
#define P256_HEAD \
	"308187020100301306072a8648ce3d020106082a8648ce3d030107046d30" \
	"6b0201010420"
#define P256_KEY \
	"f61bb8ce040b915c6ddde25ecf9297c96ab695bcb9c3b1b1c1b1ec097752" \
	"7105"
#define P256_TAIL \
	"a144034200042d78fc8eaf1d5451ee5535f2b672b73faac53e5ce222f679" \
	"ca641246569f485ad57d3394bc5e84dbe61c795b4eea5d0e8487739a3150" \
	"755743f213802bcbf15c"
#define P256 P256_HEAD P256_KEY P256_TAIL
/* The same with its point compressed. */
#define P256_SHORT \
	"3067020100301306072a8648ce3d020106082a8648ce3d030107044d304b" \
	"0201010420f61bb8ce040b915c6ddde25ecf9297c96ab695bcb9c3b1b1c1" \
	"b1ec0977527105a124032200022d78fc8eaf1d5451ee5535f2b672b73faa" \
	"c53e5ce222f679ca641246569f485a"
#define P256_EXPLICIT \
	"308201790201003082010306072a8648ce3d02013081f7020101302c0607" \
	"2a8648ce3d0101022100ffffffff00000001000000000000000000000000" \
	"ffffffffffffffffffffffff305b0420ffffffff00000001000000000000" \
	"000000000000fffffffffffffffffffffffc04205ac635d8aa3a93e7b3eb" \
	"bd55769886bc651d06b0cc53b0f63bce3c3e27d2604b031500c49d360886" \
	"e704936a6678e1139d26b7819f7e900441046b17d1f2e12c4247f8bce6e5" \
	"63a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7" \
	"eb4a7c0f9e162bce33576b315ececbb6406837bf51f5022100ffffffff00" \
	"000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551020101" \
	"046d306b0201010420f5cffc9d806a87a9ac46843abe8ce8d49a6f2cd71e" \
	"ca40d8023ac266a7a2c65fa144034200047f2926c65fa0d277b000698906" \
	"3425d6d16b9f5e97a1655e88d33c0050f1a436f84c8b37625415ce683cb0" \
	"b51307eec81fe2a4763b06c69af21d3302ad727a68"
#define P384 \
	"3081b6020100301006072a8648ce3d020106052b8104002204819e30819b" \
	"0201010430eec1075a0790a9566c36c01f96100623e717c0ddefc63aba2d" \
	"a38785e0daad3eb0bb6036fddc09a09cfc3faf4d3d0413a1640362000460" \
	"e49c79e0fd4db2005865b0c33e66ac4a3a7fe86967aa6520391cf03b4aa1" \
	"584ee7293043ce55107e069f6268f003a7a84902e1c1b5530d04409c9c5a" \
	"1d2d8bc00979b35642b1edb838a7c68c84a05b55a4011c0b75dd5e0188c3" \
	"6dfcc7024b"
#define RSA \
	"30820157020100300d06092a864886f70d0101010500048201413082013d" \
	"020100024100e213a8da5f4d009b211a7dd699479386bad4062f5775c413" \
	"c994da06103a057d739cda34e1c91e3fde67bbcfae708c32f08008c281cb" \
	"3edbbf51c315da44e04f0203010001024100a8bb058e1e0ca9841e7bd829" \
	"9f72f55f5bf73cba7eab2d719b44d6482a3a33b75ba93392137d00076588" \
	"5bf8fdc3e4e3272765ddcc252f5231933927f9fcab09022100f67bd3fc4b" \
	"e76034eaf1780351a7cd7e98f7c727cec550cc0be81cb59dcaff83022100" \
	"eace22bbb505bcd3931d53143ff3ac9b155e7eed70ab5b5c95ec62ce86e8" \
	"5645022100c486cae919242ca344c8af26064f431bb39fac1d6352142ffd" \
	"365eddb828893d0221009d7215d639ff1bebdf04d5d5894072e816bf236b" \
	"4196958f92b44c58e21b5ee5022100b1eb7991dde39ab8c620dfb4fc367d" \
	"83f42add6f0d868517a9a409b9fa27b655"
#define X25519 \
	"302e020100300506032b656e0422042030f9c34b51f369dd82557f9476f9" \
	"36ad539e346becdde15a8e89cc786b581648"
#define P256_PUBLIC \
	"BC14_I6vHVRR7lU18rZytz-qxT5c4iL2ecpkEkZWn0ha" \
	"1X0zlLxehNvmHHlbTupdDoSHc5oxUHVXQ_ITgCvL8Vw"

#define BEGIN "-----BEGIN PRIVATE KEY-----\n"
#define END "\n-----END PRIVATE KEY-----\n"
#define PEM(body) BEGIN body END

static struct wv_arena arena;

static size_t
from_hex(unsigned char *out, const char *hex)
{
	size_t n = 0;

	for (; *hex != '\0'; hex += 2) {
		char two[] = { hex[0], hex[1], '\0' };
		out[n++] = (unsigned char)strtoul(two, NULL, 16);
	}
	return n;
}

static struct wv_signer *
read_text(const char *text, struct wv_err *err)
{
	return wv_signer_read(text, strlen(text), err);
}

/* A key whose PKCS#8 is this. */
static struct wv_signer *
read_hex(const char *hex, struct wv_err *err)
{
	unsigned char der[1024];
	size_t n = from_hex(der, hex);
	struct wv_str pem = { 0 };
	struct wv_signer *signer;

	wv_str_cat(&pem, BEGIN);
	wv_base64url_write(&pem, der, n);
	for (size_t i = sizeof BEGIN - 1; i < pem.n; i++) {
		if (pem.s[i] == '-' || pem.s[i] == '_')
			pem.s[i] = pem.s[i] == '-' ? '+' : '/';
	}
	for (; n % 3 != 0; n++)
		wv_str_chr(&pem, '=');
	wv_str_cat(&pem, END);
	signer = read_text(pem.s, err);
	wv_str_free(&pem);
	return signer;
}

static void
is_public(const struct wv_signer *signer, const char *want)
{
	struct wv_str text = { 0 };

	wv_signer_public(signer, &text);
	is(text.s, want, "its public half");
	wv_str_free(&text);
}

static void
vector(const char *name, const char *pkcs8, const char *public,
	const char *text_hex, const char *sig_hex)
{
	unsigned char text[64], sig[WV_SIGNATURE_BYTES], want[sizeof sig];
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = read_hex(pkcs8, &err);

	if (!ok(signer != NULL, "%s: a key", name))
		return;
	is(wv_signer_alg(signer), "ed25519", "%s: its algorithm", name);
	is_public(signer, public);
	from_hex(want, sig_hex);
	ok(wv_signer_sign(signer, sig, text, from_hex(text, text_hex), &err) ==
				0 &&
			memcmp(sig, want, sizeof sig) == 0,
		"%s: its signature", name);
	wv_signer_free(signer);
}

static void
test_vectors(void)
{
	vector("RFC 8032, test 1",
		ED25519 "9d61b19deffd5a60ba844af492ec2cc4"
			"4449c5697b326919703bac031cae7f60",
		"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "",
		"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e0652249"
		"01555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465514143"
		"8e7a100b");
	vector("RFC 8032, test 2",
		ED25519 "4ccd089b28ff96da9db6c346ec114e0f"
			"5b8a319f35aba624da8cf6ed4fb8a6fb",
		"PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw", "72",
		"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb"
		"69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d2916"
		"12bb0c00");
	vector("RFC 8032, test 3",
		ED25519 "c5aa8df43f9f837bedb7442f31dcb7b1"
			"66d38535076f094b85ce3a2e0b4458f7",
		"_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU", "af82",
		"6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5a"
		"c3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027bece"
		"ea1ec40a");
}

static void
test_p256(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = read_hex(P256, &err);

	ok(signer != NULL, "a key of P-256");
	is(wv_signer_alg(signer), "es256", "its algorithm");
	is_public(signer, P256_PUBLIC);
	wv_signer_free(signer);
	signer = read_hex(P256_SHORT, &err);
	ok(signer != NULL, "a key of P-256 with a compressed point");
	is_public(signer, "Ai14_I6vHVRR7lU18rZytz-qxT5c4iL2ecpkEkZWn0ha");
	wv_signer_free(signer);
}

/* The public half in the file is another's: the signature would be of use to
 * nobody, or give the key away. */
static void
test_wrong_half(void)
{
	unsigned char sig[WV_SIGNATURE_BYTES];
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = read_hex(P256_HEAD
		"0000000000000000000000000000000000000000000000000000000000000"
		"007" P256_TAIL,
		&err);

	ok(signer == NULL ||
			(wv_signer_sign(signer, sig, "x", 1, &err) == -1 &&
				strstr(err.text, "no signature that is right")),
		"halves that do not belong together");
	wv_signer_free(signer);
}

static void
made_and_read(const char *alg)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *made = wv_signer_new(alg, &err), *read;
	struct wv_str pem = { 0 }, public = { 0 };
	unsigned char sig[WV_SIGNATURE_BYTES];
	int wrong = 0;

	if (!ok(made != NULL, "a new key of %s", alg))
		return;
	ok(wv_signer_pem(made, &pem, &err) == 0, "its PEM");
	read = read_text(pem.s, &err);
	ok(read != NULL, "which is read");
	is(wv_signer_alg(read), alg, "as what it was");
	wv_signer_public(made, &public);
	is_public(read, public.s);
	/* About one in 128 has an r or s that is shorter than 32 bytes. */
	for (int i = 0; i < 600; i++)
		wrong += wv_signer_sign(made, sig, &i, sizeof i, &err) != 0;
	ok(wrong == 0, "600 signatures of %s", alg);
	wv_str_free(&pem);
	wv_str_free(&public);
	wv_signer_free(made);
	wv_signer_free(read);
}

static void
test_new(void)
{
	struct wv_err err = WV_ERR_INIT;

	made_and_read("ed25519");
	made_and_read("es256");
	ok(wv_signer_new("rsa", &err) == NULL, "no other algorithm");
	is(err.text, "alg \"rsa\" is none of ed25519, es256", "which says so");
	wv_signer_free(NULL);
}

static void
refused(const char *what, const char *text, const char *want)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = read_text(text, &err);

	if (!ok(signer == NULL && strstr(err.text, want) != NULL, "refused: %s",
		    what))
		printf("# %s\n", err.text);
	wv_signer_free(signer);
}

static void
refused_hex(const char *what, const char *hex)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = read_hex(hex, &err);

	ok(signer == NULL, "refused: %s", what);
	is(err.text, "not a private key of ed25519, es256", "for that reason");
	wv_signer_free(signer);
}

#define SEED_64 \
	"MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g"

static void
test_refused_pem(void)
{
	static const char none[] = "there is no BEGIN PRIVATE KEY";
	static const char bad[] = "not a private key of ed25519, es256";

	refused("nothing", "", none);
	refused("a public key",
		"-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n",
		none);
	refused("SEC1",
		"-----BEGIN EC PRIVATE KEY-----\nMHcC\n"
		"-----END EC PRIVATE KEY-----\n",
		none);
	refused("one with a password",
		"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGb\n"
		"-----END ENCRYPTED PRIVATE KEY-----\n",
		"has a password");
	refused("one with a password, as it once was",
		BEGIN "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,"
		      "00112233445566778899AABBCCDDEEFF\n\n" SEED_64 END,
		bad);
	refused("one that ends too soon", BEGIN SEED_64 "\n-----END PRIV", bad);
	refused("an empty one", PEM(""), bad);
	refused("what is not base64", PEM("*" SEED_64), bad);
	refused("a key that is cut", PEM("MC4CAQAwBQYDK2VwBCIE"), bad);
}

static void
test_refused_keys(void)
{
	refused_hex("P-384", P384);
	refused_hex("P-256 with parameters of its own", P256_EXPLICIT);
	refused_hex("RSA", RSA);
	refused_hex("X25519", X25519);
	refused_hex("no DER", "00");
}

/* What stands around it is for people, and lines may be of any length. */
static void
test_pem_forms(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	struct wv_signer *signer;

	wv_str_cat(&text, "my key\n" PEM(SEED_64) "\n");
	signer = read_text(text.s, &err);
	ok(signer != NULL, "with words before it");
	wv_signer_free(signer);
	wv_str_free(&text);
	wv_str_cat(&text,
		"-----BEGIN PRIVATE KEY-----\r\nMC4CAQAwBQYDK2VwBCIE\r\n"
		"IJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\r\n"
		"-----END PRIVATE KEY-----\r\n");
	signer = read_text(text.s, &err);
	ok(signer != NULL, "with CR LF");
	is_public(signer, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
	wv_str_free(&text);
	ok(wv_signer_pem(signer, &text, &err) == 0, "and written");
	is(text.s, PEM(SEED_64), "as openssl does");
	wv_signer_free(signer);
	wv_str_free(&text);
}

static void
test_ecdsa(void)
{
	static const char *const halves[] = {
		"0000000000000000000000000000000000000000000000000000000000000"
		"001",
		"0000000000000000000000000000000000000000000000000000000000000"
		"080",
		"00000000000000000000000000000000000000000000000000000000000ff"
		"f00",
		"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		"ffff",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
		"ffff",
	};
	unsigned char sig[WV_SIGNATURE_BYTES], back[sizeof sig];
	unsigned char der[WV_ECDSA_DER + 1];

	for (int i = 0; i < 25; i++) {
		from_hex(sig, halves[i % 5]);
		from_hex(sig + 32, halves[i / 5]);
		size_t n = wv_ecdsa_write(der, sig);
		if (!ok(wv_ecdsa_read(back, der, n) &&
				    memcmp(sig, back, sizeof sig) == 0,
			    "r and s there and back, %d", i))
			continue;
		int taken = 0;
		for (size_t cut = 0; cut < n; cut++)
			taken += wv_ecdsa_read(back, der, cut);
		der[n] = 0;
		taken += wv_ecdsa_read(back, der, n + 1);
		ok(taken == 0, "not if it is longer or shorter");
	}
	ok(!wv_ecdsa_read(
		   back, (const unsigned char *)"\x30\x04\x02\x00\x02\0", 6),
		"no INTEGER without bytes");
}

static void
test_kids(void)
{
	static const char *const good[] = { "a", "k-1", "A.b_c-9", "-",
		("0123456789012345678901234567890123456789"
		 "012345678901234567890123") };
	static const char *const bad[] = { "", ".", "..", ".a", "a/b", "a b",
		"a\n", "\xc3\xa9", "a:b",
		("0123456789012345678901234567890123456789"
		 "0123456789012345678901234") };

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(wv_kid_is_valid(good[i]), "a kid: %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!wv_kid_is_valid(bad[i]), "not a kid, %zu", i);
}

static void
test_signature(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = read_hex(P256, &err);
	cJSON *object = wv_json_object(&arena), *member;
	struct wv_time at = { .sec = 1767323045 };

	wv_put_string(&arena, object, "token_id", "t");
	wv_put_string(&arena, object, "sig", "before");
	wv_put(&arena, object, "n", wv_json_int(&arena, 7));
	ok(wv_signature_make(&arena, object, "sig", signer, "k-1", at, &err) ==
			0,
		"an object is signed");
	ok(wv_count(object) == 3, "in the place of what was there");
	member = wv_get(object, "sig");
	is(wv_get_string(member, "alg"), "es256", "alg");
	is(wv_get_string(member, "kid"), "k-1", "kid");
	is(wv_get_string(member, "canonicalization"), "JCS", "form");
	is(wv_get_string(member, "signed_at"), "2026-01-02T03:04:05.000Z",
		"when");
	ok(strlen(wv_get_string(member, "sig")) == 86, "sig");
	wv_put(&arena, object, "big",
		wv_json_number(&arena, "9007199254740993"));
	ok(wv_signature_make(&arena, object, "sig", signer, "k-1", at, &err) ==
				-1 &&
			strstr(err.text, "RFC 8785") != NULL,
		"what RFC 8785 cannot write is not signed");
	wv_signer_free(signer);
}

int
main(void)
{
	test_vectors();
	test_p256();
	test_wrong_half();
	test_new();
	test_refused_pem();
	test_refused_keys();
	test_pem_forms();
	test_ecdsa();
	test_kids();
	test_signature();
	wv_arena_free(&arena);
	return done();
}
