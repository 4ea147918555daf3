/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in rows.  Of those whose anchors begin with the same two bytes
 * the first that is confirmed wins.
 */
#include "firewall/scan-internal.h"

/* clang-format off */
#define A(s) .anchor = s, .length = sizeof(s) - 1
/* An anchor and from min to max characters. */
#define TOKEN(kind_, anchor_, chars_, min_, max_) \
	{ A(anchor_), .recognize = wv_prefixed, .kind = kind_, \
		.chars = chars_, .min = min_, .max = max_ }
/* The same of letters and digits both, after what may be a word. */
#define MIXED(kind_, anchor_, chars_, min_, max_) \
	{ A(anchor_), .recognize = wv_prefixed, .kind = kind_, \
		.chars = chars_, .min = min_, .max = max_, .mixed = true }
#define SHAPE(kind_, anchor_, recognize_) \
	{ A(anchor_), .recognize = recognize_, .kind = kind_ }
/* Of which the next min characters are known. */
#define BEFORE(kind_, anchor_, recognize_, chars_, min_) \
	{ A(anchor_), .recognize = recognize_, .kind = kind_, \
		.chars = chars_, .min = min_ }
#define WORD(kind_, anchor_, recognize_) \
	{ A(anchor_), .any_case = true, .recognize = recognize_, .kind = kind_ }
/* What the names of names.c end in. */
#define NAME(anchor_) WORD(NULL, anchor_, wv_assignment)

const struct wv_rule wv_built_in[] = {
	SHAPE("private-key", "-----BEGIN ", wv_private_key),
	SHAPE("private-key", "-----END ", wv_private_tail),
	SHAPE("url-password", "://", wv_url_password),
	SHAPE("jwt", "eyJ", wv_jwt),
	WORD("bearer-token", "bearer ", wv_bearer),
	WORD("basic-auth", "basic ", wv_basic),
	SHAPE("basic-auth", "-u ", wv_command_user),
	SHAPE("basic-auth", "--user ", wv_command_user),
	SHAPE("basic-auth", "--user=", wv_command_user),
	SHAPE("url-signature", "sig=", wv_url_signature),
	WORD("url-signature", "-signature=", wv_url_signature),

	TOKEN("github-token", "ghp_", WV_ALNUM, 36, 255),
	TOKEN("github-token", "gho_", WV_ALNUM, 36, 255),
	TOKEN("github-token", "ghu_", WV_ALNUM, 36, 255),
	TOKEN("github-token", "ghs_", WV_ALNUM, 36, 255),
	BEFORE("github-token", "ghs_", wv_github_app, WV_DIGIT, 1),
	TOKEN("github-token", "ghr_", WV_ALNUM, 36, 255),
	TOKEN("github-token", "github_pat_", WV_WORD, 22, 255),
	MIXED("gitlab-token", "glpat-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "gldt-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glrt-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glrtr-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glcbt-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glptt-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glft-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glimt-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glagent-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "gloas-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glsoat-", WV_DOTTED, 20, 320),
	MIXED("gitlab-token", "glffct-", WV_DOTTED, 20, 320),
	TOKEN("gitlab-token", "GR1348941", WV_BASE64URL, 20, 40),

	TOKEN("aws-access-key", "AKIA", WV_UPPER_DIGIT, 16, 16),
	TOKEN("aws-access-key", "ASIA", WV_UPPER_DIGIT, 16, 16),
	TOKEN("aws-access-key", "ABIA", WV_UPPER_DIGIT, 16, 16),
	TOKEN("aws-access-key", "ACCA", WV_UPPER_DIGIT, 16, 16),
	MIXED("aws-bedrock-key", "ABSK", WV_BASE64, 100, 400),
	TOKEN("google-api-key", "AIza", WV_BASE64URL, 35, 35),
	MIXED("google-oauth-token", "ya29.", WV_DOTTED, 20, 2048),
	MIXED("google-oauth-token", "1//0", WV_BASE64URL, 40, 512),
	MIXED("google-client-secret", "GOCSPX-", WV_BASE64URL, 20, 60),
	BEFORE("azure-client-secret", "8Q~", wv_azure_secret, WV_TOKEN68, 31),
	BEFORE("azure-client-secret", "7Q~", wv_azure_secret, WV_TOKEN68, 31),
	BEFORE("azure-key", "JQQJ99", wv_azure_key, WV_ALNUM, 20),

	MIXED("slack-token", "xoxa-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xoxb-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xoxc-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xoxd-", WV_ENCODED, 10, 1024),
	MIXED("slack-token", "xoxe-", WV_BASE64URL, 10, 1024),
	MIXED("slack-token", "xoxe.xox", WV_BASE64URL, 10, 1024),
	MIXED("slack-token", "xoxo-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xoxp-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xoxr-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xoxs-", WV_BASE64URL, 10, 512),
	MIXED("slack-token", "xapp-", WV_BASE64URL, 10, 512),
	SHAPE("slack-webhook", "hooks.slack.com/", wv_webhook),
	SHAPE("slack-webhook", "hooks.slack-gov.com/", wv_webhook),
	SHAPE("discord-webhook", "/api/webhooks/", wv_webhook),

	TOKEN("stripe-key", "sk_live_", WV_ALNUM, 16, 255),
	TOKEN("stripe-key", "sk_test_", WV_ALNUM, 16, 255),
	TOKEN("stripe-key", "rk_live_", WV_ALNUM, 16, 255),
	TOKEN("stripe-key", "rk_test_", WV_ALNUM, 16, 255),
	TOKEN("stripe-webhook-secret", "whsec_", WV_BASE64, 24, 255),
	TOKEN("openrouter-key", "sk-or-v1-", WV_HEX, 64, 64),
	MIXED("anthropic-api-key", "sk-ant-", WV_BASE64URL, 20, 512),
	BEFORE("openai-api-key", "sk-", wv_openai, WV_BASE64URL, 20),

	TOKEN("npm-token", "npm_", WV_ALNUM, 36, 36),
	TOKEN("pypi-token", "pypi-AgE", WV_BASE64URL, 50, 2048),
	BEFORE("sendgrid-key", "SG.", wv_two_parts, WV_BASE64URL, 16),
	TOKEN("twilio-key", "SK", WV_HEX, 32, 32),
	TOKEN("huggingface-token", "hf_", WV_ALNUM, 34, 40),
	TOKEN("huggingface-token", "api_org_", WV_ALNUM, 34, 40),
	TOKEN("vault-token", "hvs.", WV_BASE64URL, 24, 512),
	TOKEN("vault-token", "hvb.", WV_BASE64URL, 24, 512),
	TOKEN("vault-token", "hvr.", WV_BASE64URL, 24, 512),
	TOKEN("digitalocean-token", "dop_v1_", WV_HEX, 64, 64),
	TOKEN("digitalocean-token", "doo_v1_", WV_HEX, 64, 64),
	TOKEN("digitalocean-token", "dor_v1_", WV_HEX, 64, 64),
	TOKEN("shopify-token", "shpat_", WV_ALNUM, 32, 64),
	TOKEN("shopify-token", "shpca_", WV_ALNUM, 32, 64),
	TOKEN("shopify-token", "shppa_", WV_ALNUM, 32, 64),
	TOKEN("shopify-token", "shpss_", WV_ALNUM, 32, 64),
	BEFORE("telegram-token", ":AA", wv_telegram, WV_BASE64URL, 30),
	TOKEN("databricks-token", "dapi", WV_HEX, 32, 32),
	TOKEN("atlassian-token", "ATATT3", WV_ENCODED, 60, 300),
	TOKEN("atlassian-token", "ATCTT3", WV_ENCODED, 60, 300),
	TOKEN("docker-token", "dckr_pat_", WV_BASE64URL, 24, 60),
	TOKEN("docker-token", "dckr_oat_", WV_BASE64URL, 24, 60),
	TOKEN("notion-token", "ntn_", WV_ALNUM, 40, 60),
	TOKEN("linear-key", "lin_api_", WV_ALNUM, 32, 60),
	BEFORE("grafana-token", "glsa_", wv_two_parts, WV_ALNUM, 16),
	BEFORE("postman-key", "PMAK-", wv_two_parts, WV_HEX, 16),
	TOKEN("newrelic-key", "NRAK-", WV_UPPER_DIGIT, 27, 27),
	TOKEN("mailgun-key", "key-", WV_HEX, 32, 32),
	BEFORE("mailchimp-key", "-us", wv_mailchimp, WV_DIGIT, 1),
	TOKEN("square-token", "EAAA", WV_BASE64URL, 60, 60),
	TOKEN("square-token", "sq0atp-", WV_BASE64URL, 22, 22),
	TOKEN("square-token", "sq0csp-", WV_BASE64URL, 43, 43),
	TOKEN("doppler-token", "dp.pt.", WV_ALNUM, 40, 44),
	TOKEN("doppler-token", "dp.sa.", WV_ALNUM, 40, 44),
	TOKEN("planetscale-token", "pscale_tkn_", WV_BASE64URL, 32, 64),
	TOKEN("planetscale-token", "pscale_pw_", WV_BASE64URL, 32, 64),
	TOKEN("rubygems-token", "rubygems_", WV_HEX, 48, 48),
	BEFORE("terraform-token", ".atlasv1.", wv_terraform, WV_BASE64URL, 60),
	TOKEN("groq-key", "gsk_", WV_ALNUM, 48, 64),
	TOKEN("xai-key", "xai-", WV_ALNUM, 70, 100),
	TOKEN("perplexity-key", "pplx-", WV_ALNUM, 40, 64),
	TOKEN("replicate-token", "r8_", WV_ALNUM, 37, 37),
	TOKEN("age-secret-key", "AGE-SECRET-KEY-1", WV_UPPER_DIGIT, 58, 58),
	TOKEN("sentry-token", "sntryu_", WV_HEX, 64, 64),
	MIXED("sentry-token", "sntrys_", WV_ENCODED, 60, 512),
	MIXED("tailscale-key", "tskey-", WV_ALNUM_DASH, 20, 100),
	MIXED("figma-token", "figd_", WV_BASE64URL, 36, 60),
	TOKEN("pulumi-token", "pul-", WV_HEX, 40, 40),

	NAME("password"), NAME("passwd"), NAME("pwd"), NAME("passphrase"),
	NAME("pass"), NAME("secret"), NAME("token"), NAME("key"),
	NAME("authorization"), NAME("auth"), NAME("credential"),
	NAME("cookie"),
};
const size_t wv_built_in_count = sizeof(wv_built_in) / sizeof(wv_built_in[0]);
/* clang-format on */
