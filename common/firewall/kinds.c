/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds there are. */
#include "firewall/scan-internal.h"

#include <string.h>

#define SECRET(name) \
	{ \
		name, false, false \
	}
#define PII(name) \
	{ \
		name, true, false \
	}

/* clang-format off */
const struct wv_kind wv_kinds[] = {
	SECRET("private-key"), SECRET("github-token"), SECRET("gitlab-token"),
	SECRET("aws-access-key"), SECRET("aws-secret-key"),
	SECRET("aws-bedrock-key"), SECRET("google-api-key"),
	SECRET("google-oauth-token"), SECRET("google-client-secret"),
	SECRET("azure-account-key"), SECRET("azure-client-secret"),
	SECRET("azure-key"), SECRET("url-signature"), SECRET("slack-token"),
	SECRET("slack-webhook"), SECRET("stripe-key"),
	SECRET("stripe-webhook-secret"), SECRET("openai-api-key"),
	SECRET("anthropic-api-key"), SECRET("npm-token"), SECRET("pypi-token"),
	SECRET("sendgrid-key"), SECRET("twilio-key"),
	SECRET("huggingface-token"), SECRET("vault-token"),
	SECRET("digitalocean-token"), SECRET("shopify-token"),
	SECRET("telegram-token"), SECRET("discord-webhook"),
	SECRET("databricks-token"), SECRET("atlassian-token"),
	SECRET("docker-token"), SECRET("notion-token"), SECRET("linear-key"),
	SECRET("grafana-token"), SECRET("postman-key"), SECRET("newrelic-key"),
	SECRET("mailgun-key"), SECRET("mailchimp-key"), SECRET("square-token"),
	SECRET("doppler-token"), SECRET("planetscale-token"),
	SECRET("rubygems-token"), SECRET("terraform-token"),
	SECRET("groq-key"), SECRET("xai-key"), SECRET("perplexity-key"),
	SECRET("replicate-token"), SECRET("openrouter-key"),
	SECRET("age-secret-key"), SECRET("sentry-token"),
	SECRET("tailscale-key"), SECRET("figma-token"), SECRET("pulumi-token"),
	SECRET("jwt"), SECRET("bearer-token"), SECRET("basic-auth"),
	SECRET("url-password"), SECRET("password"), SECRET("secret"),
	SECRET("token"), SECRET("api-key"), SECRET("access-key"),
	SECRET("secret-key"), SECRET("authorization"), SECRET("credential"),
	SECRET("cookie"),
	PII("email"), PII("phone"), PII("card"), PII("ssn"), PII("iban"),
	{ "ip-address", true, true },
	SECRET("injection-override"), SECRET("injection-role"),
	SECRET("injection-secrecy"), SECRET("injection-exfiltration"),
	SECRET("injection-tool"), SECRET("injection-hidden"),
	SECRET("injection-encoded"),
	{ NULL, false, false },
};
/* clang-format on */

const struct wv_kind *
wv_kind(const char *name)
{
	for (const struct wv_kind *kind = wv_kinds; kind->name != NULL; kind++)
		if (kind->name[0] == name[0] && strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}

bool
wv_kind_is_pii(const char *name)
{
	const struct wv_kind *kind = wv_kind(name);

	return kind != NULL && kind->is_pii;
}
