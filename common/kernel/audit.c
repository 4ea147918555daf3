/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/audit.h"

#include "base/file.h"
#include "base/id.h"
#include "kernel/reader.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHAIN "x_wv_chain"
static const char zeros[] =
	"0000000000000000000000000000000000000000000000000000000000000000";

void
wv_chain_start(struct wv_chain *chain, const struct wv_head *head)
{
	memset(chain, 0, sizeof(*chain));
	if (head != NULL && head->seq > 0) {
		chain->seq = head->seq;
		memcpy(chain->hash, head->hash, WV_SHA256_HEX);
	} else {
		memcpy(chain->hash, zeros, WV_SHA256_HEX);
	}
}

void
wv_chain_torn_hash(const struct wv_chain *chain, char hex[WV_SHA256_HEX])
{
	struct wv_sha256 copy = chain->torn;
	unsigned char hash[WV_SHA256];

	wv_sha256_end(&copy, hash);
	wv_hex(hex, hash, sizeof(hash));
}

uint64_t
wv_chain_next(const struct wv_chain *chain, const struct wv_lost *lost)
{
	return (chain->seq > lost->seq ? chain->seq : lost->seq) + 1;
}

static bool
same_loss(const struct wv_lost *a, const struct wv_lost *b)
{
	return a->seq == b->seq && strcmp(a->hash, b->hash) == 0;
}

/* Bytes of a dead writer may stand before it. */
static enum wv_follows
follows_gap(const struct wv_chain *chain, const struct wv_link *link)
{
	char torn[WV_SHA256_HEX];

	if (chain->torn_lines == 0)
		return WV_FOLLOWS_NOT_GAP;
	wv_chain_torn_hash(chain, torn);
	return link->gap_bytes == chain->torn_bytes &&
			strcmp(link->gap_sha256, torn) == 0 &&
			strcmp(link->prev, torn) == 0
		? WV_FOLLOWS_GAP
		: WV_FOLLOWS_NOT_GAP;
}

enum wv_follows
wv_chain_follows(const struct wv_chain *chain, const struct wv_link *link)
{
	bool given = chain->is_open && link->segment > 0 && link->log == NULL;

	if (!given &&
		(link->seq != wv_chain_next(chain, &link->lost) ||
			(chain->lost.seq > 0 &&
				!same_loss(&chain->lost, &link->lost))))
		return WV_FOLLOWS_NOT_SEQ;
	if (link->has_gap)
		return !given && link->gap_after[0] != '\0' &&
				strcmp(link->gap_after, chain->hash) != 0
			? WV_FOLLOWS_NOT_PREV
			: follows_gap(chain, link);
	return given || strcmp(link->prev, chain->hash) == 0
		? WV_FOLLOWS
		: WV_FOLLOWS_NOT_PREV;
}

void
wv_chain_accept(
	struct wv_chain *chain, uint64_t seq, const char *line, size_t len)
{
	chain->seq = seq;
	chain->is_open = false;
	chain->lost.seq = 0;
	chain->torn_lines = chain->torn_bytes = 0;
	wv_sha256_hex(chain->hash, line, len);
}

void
wv_chain_skip(struct wv_chain *chain, const char *line, size_t len)
{
	if (chain->torn_lines++ == 0) {
		wv_sha256_start(&chain->torn);
	} else {
		wv_sha256_add(&chain->torn, "\n", 1);
		chain->torn_bytes++;
	}
	wv_sha256_add(&chain->torn, line, len);
	chain->torn_bytes += len;
}

/* All n bytes at offset. */
static int
read_at(int fd, void *to, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(fd, (char *)to + done, n - done,
			(off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got < 0 ? errno : EIO;
			return -1;
		}
		done += (size_t)got;
	}
	return 0;
}

static int
lacks(const struct wv_head *head, struct wv_err *err, const char *instead)
{
	wv_err_set(err,
		"the log lacks what the store recorded: line %ju, which ends "
		"at byte %ju (%s); see wv-trace(1), `wv-trace recover`",
		(uintmax_t)head->seq, (uintmax_t)head->end, instead);
	return 0;
}

static int
compare(int fd, const struct wv_head *head, struct wv_err *err)
{
	struct wv_str buf = { 0 };
	char hash[WV_SHA256_HEX];
	char *line = wv_str_room(&buf, head->len + 1);
	int status =
		read_at(fd, line, head->len + 1, head->end - head->len - 1);

	if (status == 0) {
		wv_sha256_hex(hash, line, head->len);
		status = line[head->len] == '\n' &&
			strcmp(hash, head->hash) == 0;
	} else {
		wv_err_sys(err, "audit.jsonl");
	}
	wv_str_free(&buf);
	return status;
}

int
wv_audit_holds(int fd, const struct wv_head *head, struct wv_err *err)
{
	struct stat st;

	if (head->seq == 0 || (head->end == 0 && fd >= 0))
		return 1;
	if (fd < 0)
		return lacks(head, err, "there is no audit.jsonl");
	if (fstat(fd, &st) < 0)
		return wv_err_sys(err, "audit.jsonl");
	if ((uint64_t)st.st_size < head->end || head->len >= head->end)
		return lacks(head, err, "the log is shorter");
	int same = compare(fd, head, err);
	return same == 0 ? lacks(head, err, "another stands there") : same;
}

int
wv_audit_begin(struct wv_audit *audit, int fd, const struct wv_summit *summit,
	struct wv_err *err)
{
	const struct wv_head *head = &summit->head;
	struct stat st;

	audit->fd = fd;
	audit->buf.n = 0;
	audit->unended = audit->begun = false;
	audit->head = audit->last = *head;
	wv_chain_start(&audit->chain, head);
	audit->chain.lost = summit->lost;
	audit->segment = summit->segment;
	if (fstat(fd, &st) < 0)
		return wv_err_sys(err, "audit.jsonl");
	audit->size = (uint64_t)st.st_size;
	return wv_audit_holds(fd, head, err) == 1 ? 0 : -1;
}

/* 1: it follows; 0: it is torn. */
static int
take(struct wv_audit *audit, struct wv_arena *arena, struct wv_link *link,
	const struct wv_reader *in)
{
	struct wv_chain *chain = &audit->chain;

	if (wv_link_read(link, arena, in->line, in->len, NULL) < 0 ||
		wv_chain_follows(chain, link) > WV_FOLLOWS_GAP) {
		wv_chain_skip(chain, in->line, in->len);
		return 0;
	}
	wv_chain_accept(chain, link->seq, in->line, in->len);
	audit->last.seq = chain->seq;
	audit->last.end = in->offset + in->len + 1;
	audit->last.len = in->len;
	memcpy(audit->last.hash, chain->hash, WV_SHA256_HEX);
	return 1;
}

int
wv_audit_tail(struct wv_audit *audit, struct wv_arena *arena,
	int (*each)(void *arg, const struct wv_link *link, struct wv_err *err),
	void *arg, struct wv_err *err)
{
	struct wv_reader in = { .fd = audit->fd,
		.left = audit->size - audit->head.end,
		.max_line = SIZE_MAX,
		.next = audit->head.end,
		.ended = true };
	struct wv_link link;
	int status;

	if (in.left == 0)
		return 0;
	if (lseek(audit->fd, (off_t)in.next, SEEK_SET) < 0)
		return wv_err_sys(err, "audit.jsonl");
	while ((status = wv_reader_next(&in, err)) == 1)
		if (take(audit, arena, &link, &in) &&
			(status = each(arg, &link, err)) < 0)
			break;
	if (status == 0 && !in.ended) {
		audit->unended = true;
		wv_str_chr(&audit->buf, '\n');
	}
	wv_reader_free(&in);
	return status;
}

static void
add_chain(struct wv_str *buf, const struct wv_audit *audit)
{
	const struct wv_chain *chain = &audit->chain;
	uint64_t seq = audit->last.seq;
	uint64_t base = audit->begun ? 0 : audit->head.seq;
	char torn[WV_SHA256_HEX], log[WV_ID_MAX];

	if (chain->torn_lines > 0)
		wv_chain_torn_hash(chain, torn);
	wv_str_fmt(buf, ",\"" CHAIN "\":{\"v\":1,\"seq\":%ju,\"prev\":\"%s\"",
		(uintmax_t)seq, chain->torn_lines > 0 ? torn : chain->hash);
	if (chain->seq == 0) {
		wv_id_new(log, "log");
		wv_str_fmt(buf, ",\"log\":\"%s\"", log);
	}
	if (chain->torn_lines > 0)
		wv_str_fmt(buf,
			",\"gap\":{\"bytes\":%ju,\"sha256\":\"%s\","
			"\"after\":\"%s\"}",
			(uintmax_t)chain->torn_bytes, torn, chain->hash);
	if (chain->lost.seq > 0)
		wv_str_fmt(buf, ",\"lost\":{\"seq\":%ju,\"sha256\":\"%s\"}",
			(uintmax_t)chain->lost.seq, chain->lost.hash);
	if (audit->segment > 0 && audit->last.end == 0)
		wv_str_fmt(buf, ",\"segment\":%ju", (uintmax_t)audit->segment);
	if (base > 0)
		wv_str_fmt(buf, ",\"base\":%ju", (uintmax_t)base);
	wv_str_cat(buf, "}}");
}

void
wv_audit_add(struct wv_audit *audit, const char *event, size_t n)
{
	struct wv_str *buf = &audit->buf;
	struct wv_chain *chain = &audit->chain;
	struct wv_head *last = &audit->last;
	size_t start = buf->n;

	wv_str_add(buf, event, n - 1); /* without its closing brace */
	last->seq = wv_chain_next(chain, &chain->lost);
	add_chain(buf, audit);
	audit->begun = true;
	last->len = buf->n - start;
	wv_chain_accept(chain, last->seq, buf->s + start, last->len);
	memcpy(last->hash, chain->hash, WV_SHA256_HEX);
	wv_str_chr(buf, '\n');
	last->end = audit->size + buf->n;
}

bool
wv_audit_is_ahead(const struct wv_audit *audit)
{
	return audit->last.seq > audit->head.seq;
}

int
wv_audit_write(struct wv_audit *audit, struct wv_err *err)
{
	if (wv_write_all(audit->fd, audit->buf.s, audit->buf.n) == 0 &&
		fsync(audit->fd) == 0)
		return 0;
	wv_err_sys(err, "audit.jsonl");
	wv_audit_cut(audit);
	return -1;
}

void
wv_audit_cut(struct wv_audit *audit)
{
	/* If it fails the next group finds the lines, and settles them. */
	int ignored = ftruncate(audit->fd, (off_t)audit->size);

	(void)ignored;
}

void
wv_audit_end(struct wv_audit *audit)
{
	if (audit->fd >= 0)
		close(audit->fd);
	audit->fd = -1;
	audit->buf.n = 0;
}

void
wv_audit_free(struct wv_audit *audit)
{
	wv_audit_end(audit);
	wv_str_free(&audit->buf);
}
