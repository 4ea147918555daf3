/* SPDX-License-Identifier: Apache-2.0 */
/* Names of secrets and of what may be one. */
#include "firewall/names.h"

#define ANY WV_NO_WORD

const struct wv_secret_name wv_secret_names[] = {
	{ ANY, WV_W("passphrase"), "password" },
	{ ANY, WV_W("pwd"), "password" },
	{ ANY, WV_W("secret"), "secret" },
	{ ANY, WV_W("clientsecret"), "secret" },
	{ ANY, WV_W("token"), "token" },
	{ ANY, WV_W("apitoken"), "token" },
	{ ANY, WV_W("authtoken"), "token" },
	{ ANY, WV_W("accesstoken"), "token" },
	{ ANY, WV_W("refreshtoken"), "token" },
	{ ANY, WV_W("apikey"), "api-key" },
	{ WV_W("api"), WV_W("key"), "api-key" },
	{ WV_W("app"), WV_W("key"), "api-key" },
	{ WV_W("auth"), WV_W("key"), "api-key" },
	{ WV_W("subscription"), WV_W("key"), "api-key" },
	{ ANY, WV_W("accesskey"), "access-key" },
	{ ANY, WV_W("secretaccesskey"), "aws-secret-key" },
	{ WV_W("access"), WV_W("key"), "access-key" },
	{ WV_W("account"), WV_W("key"), "access-key" },
	{ ANY, WV_W("secretkey"), "secret-key" },
	{ WV_W("secret"), WV_W("key"), "secret-key" },
	{ WV_W("signing"), WV_W("key"), "secret-key" },
	{ WV_W("encryption"), WV_W("key"), "secret-key" },
	{ WV_W("master"), WV_W("key"), "secret-key" },
	{ ANY, WV_W("privatekey"), "private-key" },
	{ WV_W("private"), WV_W("key"), "private-key" },
	{ ANY, WV_W("authorization"), "authorization" },
	{ ANY, WV_W("credential"), "credential" },
	{ ANY, WV_W("credentials"), "credential" },
	{ ANY, WV_W("cookie"), "cookie" },
	{ WV_W("db"), WV_W("pass"), "password" },
	{ WV_W("database"), WV_W("pass"), "password" },
	{ WV_W("mysql"), WV_W("pass"), "password" },
	{ WV_W("smtp"), WV_W("pass"), "password" },
	{ WV_W("mail"), WV_W("pass"), "password" },
	{ WV_W("user"), WV_W("pass"), "password" },
	{ WV_W("admin"), WV_W("pass"), "password" },
	{ WV_W("root"), WV_W("pass"), "password" },
	{ WV_W("redis"), WV_W("pass"), "password" },
	{ WV_W("ftp"), WV_W("pass"), "password" },
	{ WV_W("ldap"), WV_W("pass"), "password" },
	{ ANY, ANY, NULL },
};

/* Names of what is known by its name and value together. */
const struct wv_secret_name wv_member_names[] = {
	{ ANY, WV_W("auth"), "basic-auth" },
	{ ANY, WV_W("card"), "card" },
	{ ANY, WV_W("cardnumber"), "card" },
	{ WV_W("card"), WV_W("number"), "card" },
	{ WV_W("card"), WV_W("no"), "card" },
	{ ANY, WV_W("creditcard"), "card" },
	{ ANY, WV_W("ccnumber"), "card" },
	{ WV_W("cc"), WV_W("number"), "card" },
	{ ANY, WV_W("pan"), "card" },
	{ ANY, WV_W("cvv"), "cvv" },
	{ ANY, WV_W("cvc"), "cvv" },
	{ WV_W("security"), WV_W("code"), "cvv" },
	{ ANY, WV_W("ssn"), "ssn" },
	{ WV_W("security"), WV_W("number"), "ssn" },
	{ ANY, WV_W("phone"), "phone" },
	{ ANY, WV_W("telephone"), "phone" },
	{ ANY, WV_W("telefon"), "phone" },
	{ ANY, WV_W("mobile"), "phone" },
	{ ANY, WV_W("cellphone"), "phone" },
	{ ANY, WV_W("tel"), "phone" },
	{ ANY, WV_W("fax"), "phone" },
	{ ANY, WV_W("phonenumber"), "phone" },
	{ WV_W("phone"), WV_W("number"), "phone" },
	{ WV_W("mobile"), WV_W("number"), "phone" },
	{ ANY, WV_W("msisdn"), "phone" },
	{ ANY, WV_W("whatsapp"), "phone" },
	{ ANY, ANY, NULL },
};

/* PGPASSWORD and sshpasswd are one word; no other words end so. */
const struct wv_word wv_password_ends[] = { WV_W("password"), WV_W("passwd"),
	WV_W("passwords"), ANY };

/* Of what names the columns of rows beside it. */
const struct wv_word wv_column_names[] = { WV_W("columns"), WV_W("fields"),
	WV_W("header"), WV_W("headers"), WV_W("meta"), ANY };

static void
add_end(struct wv_name_ends *ends, struct wv_word w)
{
	const char *last = w.s + w.n - 1;

	for (int c = 0; c < 32; c++)
		if (w.n == 2 || c == (last[-2] & 31))
			ends->bits[c][last[-1] & 31] |= UINT32_C(1)
				<< (*last & 31);
}

static void
add_names(struct wv_name_ends *ends, const struct wv_secret_name *list)
{
	for (; list->kind != NULL; list++)
		add_end(ends, list->last);
}

static void
add_words(struct wv_name_ends *ends, const struct wv_word *list)
{
	for (; list->s != NULL; list++)
		add_end(ends, *list);
}

const struct wv_name_ends *
wv_name_ends(void)
{
	static struct wv_name_ends ends;
	static bool is_made;

	if (is_made)
		return &ends;
	add_names(&ends, wv_secret_names);
	add_names(&ends, wv_member_names);
	add_words(&ends, wv_password_ends);
	add_words(&ends, wv_column_names);
	is_made = true;
	return &ends;
}

size_t
wv_last_letter(const char *name, size_t n)
{
	while (n >= 8 && wv_letters_of(name + n - 8) == 0)
		n -= 8;
	while (n > 0 && !wv_is_letter(name[n - 1]))
		n--;
	return n;
}
