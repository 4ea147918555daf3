/* SPDX-License-Identifier: Apache-2.0 */
/* Logs: levels, first and last time, messages that differ in more than numbers
 * and names; requests of web servers. */
#include "firewall/summarize-log.h"

enum {
	MESSAGES = 1024, /* that are told apart */
	TOLD = 3,        /* of the most frequent */
	WIDTH = 70,      /* bytes of a message */
	STATUS_MAX = 6,  /* told of the statuses */
};

bool
wv_is_log(const struct wv_sample *sample)
{
	struct wv_log_entry entry;
	size_t entries = 0, timed = 0;

	for (size_t i = 0; i < sample->count; i++)
		if (wv_log_parse(&entry, &sample->lines[i])) {
			entries++;
			timed += entry.time.n > 0;
		}
	/* Entries may have more lines than one, if they begin with times. */
	return entries >= 2 &&
		(entries * 10 >= sample->count * 6 ||
			(timed * 5 >= sample->count &&
				wv_log_parse(&entry, &sample->lines[0])));
}

struct log {
	size_t entries, other, untold;
	size_t levels[WV_LOG_LEVELS + 1];
	struct wv_line first, last;
	struct wv_line worst; /* the first message of the worst level */
	enum wv_log_level worst_level;
	struct wv_tally messages;
};

static void
add_entry(struct log *log, struct wv_arena *arena,
	const struct wv_log_entry *entry)
{
	char pattern[WV_LOG_PATTERN];
	size_t n;

	log->entries++;
	log->levels[entry->level]++;
	if (entry->time.n > 0) {
		if (log->first.n == 0)
			log->first = entry->time;
		log->last = entry->time;
	}
	if (entry->level < log->worst_level) {
		log->worst_level = entry->level;
		log->worst = entry->message;
	}
	n = wv_log_pattern(pattern, &entry->message);
	if (n == 0)
		return;
	struct wv_tallied *item =
		wv_tally_add(&log->messages, arena, pattern, n);
	if (item == NULL)
		log->untold++;
	else if (item->s == pattern)
		item->s = wv_dupn(arena, pattern, n);
}

static void
tell_levels(struct wv_summary *sum, const struct log *log)
{
	struct wv_str *part = wv_sum_begin(sum);

	for (int i = 0; i < WV_LOG_LEVELS; i++)
		if (log->levels[i] > 0)
			wv_str_fmt(part, "%s%s %zu", part->n > 0 ? ", " : "",
				wv_log_levels[i], log->levels[i]);
	wv_sum_end(sum, NULL, 0);
}

static void
tell_times(struct wv_summary *sum, const struct wv_line *first,
	const struct wv_line *last)
{
	struct wv_str *part = wv_sum_begin(sum);

	wv_add_inline(part, first->s, first->n, 40);
	if (last->n != first->n || memcmp(last->s, first->s, last->n) != 0) {
		wv_str_cat(part, " to ");
		wv_add_inline(part, last->s, last->n, 40);
	}
	wv_sum_end(sum, NULL, 0);
}

static void
tell_messages(struct wv_summary *sum, struct log *log)
{
	struct wv_tally *messages = &log->messages;
	struct wv_str *part = wv_sum_begin(sum);

	wv_tally_add_count(part, messages);
	wv_str_cat(part,
		messages->count == 1 && !messages->more ? " message"
							: " messages");
	wv_sum_end(sum, NULL, 0);
	wv_tally_sort(messages);
	sum->unit = NULL;
	for (size_t i = 0; i < messages->count && i < TOLD; i++) {
		part = wv_sum_begin(sum);
		wv_str_fmt(part, "%zu× ", messages->items[i].count);
		wv_add_inline(part, messages->items[i].s, messages->items[i].n,
			WIDTH);
		wv_sum_end(sum, NULL, 0);
	}
}

void
wv_tell_log(struct wv_summary *sum)
{
	struct log log = { .worst_level = WV_LOG_LEVELS,
		.messages = { .max = MESSAGES } };
	struct wv_log_entry entry;
	const char *s = sum->s;
	struct wv_line line;
	struct wv_str *part;

	while (wv_next_line(&s, sum->end, &line))
		if (wv_log_parse(&entry, &line))
			add_entry(&log, &sum->arena, &entry);
		else
			log.other += wv_trim(line.s, line.n).n > 0;
	wv_sum_head(sum, "log");
	part = wv_sum_begin(sum);
	if (log.other > 0)
		wv_str_fmt(part, "%zu entries, other lines %zu", log.entries,
			log.other);
	wv_sum_end(sum, NULL, 0);
	if (log.first.n > 0)
		tell_times(sum, &log.first, &log.last);
	tell_levels(sum, &log);
	if (log.worst_level <= WV_LOG_WARNING) {
		part = wv_sum_begin(sum);
		wv_str_fmt(part, "first %s: ", wv_log_levels[log.worst_level]);
		wv_add_inline(part, log.worst.s, log.worst.n, WV_LINE_MAX);
		wv_sum_end(sum, NULL, 0);
	}
	part = wv_sum_begin(sum);
	if (log.other > 0)
		wv_trace_find(part, sum->s, sum->end);
	wv_sum_end(sum, NULL, 0);
	tell_messages(sum, &log);
}

struct request {
	struct wv_line client, time, method, path, status;
};

/* 10.0.0.1 - - [02/Jan/2026:03:04:05 +0000] "GET /x HTTP/1.1" 200 12 … */
static bool
parse_request(struct request *r, const struct wv_line *line)
{
	const char *end = line->s + line->n, *open, *close;
	struct wv_line rest = *line, quoted;

	r->client = wv_take_word(&rest);
	open = wv_find(&rest, " [");
	close = open ? memmem(open, (size_t)(end - open), "] \"", 3) : NULL;
	if (close == NULL || close - open > 40)
		return false;
	r->time = (struct wv_line){ open + 2, (size_t)(close - open - 2) };
	quoted = (struct wv_line){ close + 3, (size_t)(end - close - 3) };
	close = memmem(quoted.s, quoted.n, "\" ", 2);
	if (close == NULL || !wv_is_digit(*r->time.s))
		return false;
	rest = (struct wv_line){ close + 2, (size_t)(end - close - 2) };
	quoted.n = (size_t)(close - quoted.s);
	r->method = wv_take_word(&quoted);
	r->path = wv_take_word(&quoted);
	const char *query =
		r->path.n ? memchr(r->path.s, '?', r->path.n) : NULL;
	if (query != NULL)
		r->path.n = (size_t)(query - r->path.s);
	r->status = wv_take_word(&rest);
	return r->status.n == 3 && wv_digits(r->status.s, r->status.s + 3) == 3;
}

bool
wv_is_access_log(const struct wv_sample *sample)
{
	struct request request;
	size_t requests = 0;

	for (size_t i = 0; i < sample->count; i++)
		requests += parse_request(&request, &sample->lines[i]);
	return requests > 0 && requests * 10 >= sample->count * 9;
}

static void
count(struct wv_summary *sum, struct wv_tally *tally,
	const struct wv_line *value)
{
	if (!wv_has_mark(value->s, value->n))
		wv_tally_add(tally, &sum->arena, value->s, value->n);
}

static void
tell_tally(struct wv_summary *sum, const char *label, struct wv_tally *tally,
	size_t most)
{
	struct wv_str *part = wv_sum_begin(sum);

	if (tally->count == 0)
		return;
	wv_tally_sort(tally);
	wv_str_cat(part, label);
	if (tally->more || tally->count > most) {
		wv_tally_add_count(part, tally);
		wv_str_cat(part, ", ");
	}
	if (!tally->more) {
		wv_str_cat(part, tally->count > most ? "most " : "");
		wv_tally_add_top(part, tally, most, 50, false);
	}
	wv_sum_end(sum, NULL, 0);
}

void
wv_tell_access_log(struct wv_summary *sum)
{
	struct wv_tally methods = { .max = 32 }, statuses = { .max = 64 };
	struct wv_tally paths = { .max = MESSAGES };
	struct wv_tally clients = { .max = MESSAGES };
	struct request r, first = { .time = { "", 0 } }, last = first;
	size_t requests = 0;
	const char *s = sum->s;
	struct wv_line line;

	while (wv_next_line(&s, sum->end, &line)) {
		if (!parse_request(&r, &line))
			continue;
		first = requests++ == 0 ? r : first;
		last = r;
		count(sum, &methods, &r.method);
		count(sum, &statuses, &r.status);
		count(sum, &paths, &r.path);
		count(sum, &clients, &r.client);
	}
	wv_sum_head(sum, "access log");
	struct wv_str *part = wv_sum_begin(sum);
	wv_add_count(part, requests, "request");
	wv_sum_end(sum, NULL, 0);
	tell_times(sum, &first.time, &last.time);
	tell_tally(sum, "status ", &statuses, STATUS_MAX);
	tell_tally(sum, "", &methods, STATUS_MAX);
	tell_tally(sum, "paths: ", &paths, TOLD);
	tell_tally(sum, "clients: ", &clients, TOLD);
}
