/* SPDX-License-Identifier: Apache-2.0 */
/* The chain member of a line, read. */
#include "json/num.h"
#include "json/skim.h"
#include "kernel/audit.h"

#include <string.h>

#define CHAIN "x_wv_chain"
/* More than it adds to an event. */
enum { CHAIN_VALUES = 16 };
/* What any reader of JSON can count to: 2^53 - 1. */
#define COUNT_MAX 9007199254740991

static bool
read_count(const cJSON *node, int64_t min, uint64_t *count)
{
	int64_t value;

	if (!wv_is_number(node) || !wv_num_int64(node, &value) || value < min ||
		value > COUNT_MAX)
		return false;
	*count = (uint64_t)value;
	return true;
}

static bool
read_hash(const cJSON *node, char hash[WV_SHA256_HEX])
{
	if (!wv_is_string(node) || !wv_is_sha256_hex(node->valuestring))
		return false;
	memcpy(hash, node->valuestring, WV_SHA256_HEX);
	return true;
}

static int
read_lost(struct wv_link *link, const cJSON *lost, struct wv_err *err)
{
	if (lost == NULL)
		return 0;
	if (read_count(wv_get(lost, "seq"), 1, &link->lost.seq) &&
		read_hash(wv_get(lost, "sha256"), link->lost.hash))
		return 0;
	return wv_err_set(err, CHAIN " has a malformed lost");
}

/* Absent: as it was. */
static bool
read_optional(const cJSON *node, uint64_t *count)
{
	return node == NULL || read_count(node, 1, count);
}

static int
read_gap(struct wv_link *link, const cJSON *gap, struct wv_err *err)
{
	const cJSON *after = wv_get(gap, "after");

	if (gap == NULL)
		return 0;
	link->has_gap = true;
	if (read_count(wv_get(gap, "bytes"), 0, &link->gap_bytes) &&
		read_hash(wv_get(gap, "sha256"), link->gap_sha256) &&
		(after == NULL || read_hash(after, link->gap_after)))
		return 0;
	return wv_err_set(err, CHAIN " has a malformed gap");
}

static int
read_chain(struct wv_link *link, const cJSON *chain, struct wv_err *err)
{
	uint64_t version;

	if (!read_count(wv_get(chain, "v"), 1, &version) || version != 1)
		return wv_err_set(err, CHAIN " is not of version 1");
	if (!read_count(wv_get(chain, "seq"), 1, &link->seq))
		return wv_err_set(err, CHAIN " has no seq");
	if (!read_hash(wv_get(chain, "prev"), link->prev))
		return wv_err_set(err, CHAIN " has no prev");
	if (read_lost(link, wv_get(chain, "lost"), err) < 0)
		return -1;
	if (!read_optional(wv_get(chain, "base"), &link->base))
		return wv_err_set(err, CHAIN " has a malformed base");
	if (!read_optional(wv_get(chain, "segment"), &link->segment))
		return wv_err_set(err, CHAIN " has a malformed segment");
	link->log = wv_get_string(chain, "log");
	if ((link->log != NULL) != (link->seq == 1) && link->lost.seq == 0)
		return wv_err_set(err,
			link->log ? CHAIN " names a log in the middle of it"
				  : CHAIN " does not name the log");
	return read_gap(link, wv_get(chain, "gap"), err);
}

int
wv_link_read(struct wv_link *link, struct wv_arena *arena, const char *line,
	size_t len, struct wv_err *err)
{
	struct wv_json_limits limits = wv_json_defaults;
	const cJSON *last = NULL;

	memset(link, 0, sizeof(*link));
	limits.max_values += CHAIN_VALUES;
	link->event = wv_json_read(arena, line, len, &limits, err);
	if (link->event == NULL)
		return -1;
	if (!wv_is_object(link->event))
		return wv_err_set(err, "not an object");
	wv_json_each(item, link->event)
		last = item;
	if (last == NULL || strcmp(last->string, CHAIN) != 0)
		return wv_err_set(err, "its last member is not " CHAIN);
	return read_chain(link, last, err);
}

/* Digits at p, without a leading zero, of what any reader can count to; the
 * place behind them, or NULL. */
static const char *
skim_count(const char *p, uint64_t *count)
{
	const char *begin = p;

	for (*count = 0; *p >= '0' && *p <= '9' && p - begin < 16; p++)
		*count = *count * 10 + (uint64_t)(*p - '0');
	return *begin > '0' && *begin <= '9' && *count <= COUNT_MAX ? p : NULL;
}

static const char *
skim_text(const char *p, const char *text, size_t n)
{
	return p != NULL && memcmp(p, text, n) == 0 ? p + n : NULL;
}
#define SKIM(p, text) skim_text(p, text, sizeof(text) - 1)

static const char *
skim_hash(const char *p, char hash[WV_SHA256_HEX])
{
	unsigned char good = 1;

	if (p == NULL)
		return NULL;
	/* Without a branch, so that it is done 16 at a time. */
	for (size_t i = 0; i < WV_SHA256_HEX - 1; i++)
		good &= ((unsigned char)(p[i] - '0') < 10) |
			((unsigned char)(p[i] - 'a') < 6);
	if (!good)
		return NULL;
	memcpy(hash, p, WV_SHA256_HEX - 1);
	hash[WV_SHA256_HEX - 1] = '\0';
	return p + WV_SHA256_HEX - 1;
}

/* The last opening brace of the line is that of its chain: a text that looks
 * like it would stand between quotes, which a comma cannot follow. */
static bool
skim_chain(struct wv_link *link, const char *line, size_t len)
{
	enum { MOST = 192 };
	size_t tail = len < MOST ? len : MOST;
	const char *brace = memrchr(line + len - tail, '{', tail);
	const char *p;

	if (brace == NULL ||
		(size_t)(brace - line) < sizeof(",\"" CHAIN "\":") - 1)
		return false;
	p = SKIM(brace - (sizeof(",\"" CHAIN "\":") - 1),
		",\"" CHAIN "\":{\"v\":1,\"seq\":");
	if (p == NULL || (p = skim_count(p, &link->seq)) == NULL ||
		link->seq == 1)
		return false;
	p = SKIM(skim_hash(SKIM(p, ",\"prev\":\""), link->prev), "\"");
	if (p == NULL)
		return false;
	if (*p == ',' &&
		((p = SKIM(p, ",\"base\":")) == NULL ||
			(p = skim_count(p, &link->base)) == NULL))
		return false;
	return SKIM(p, "}}") == line + len;
}

bool
wv_link_skim(struct wv_link *link, struct wv_skim *skim, const char *line,
	size_t len)
{
	memset(link, 0, sizeof(*link));
	if (!skim_chain(link, line, len))
		return false;
	if (skim == NULL)
		return true;
	const char *p = wv_skim_begin(skim, line, len, &wv_json_defaults);
	return p != NULL && (p = wv_skim_value(skim, p)) != NULL &&
		wv_skim_is_end(skim, p);
}
