/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle.h"

#include "base/id.h"
#include "base/msg.h"
#include "contract/contract.h"
#include "contract/record.h"
#include "json/jcs.h"
#include "kernel/artifact.h"
#include "kernel/key.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_WITH_ARGUMENTS = 256, OPT_SIGN, LIMIT = 10000 };

static const char *const synopsis[] = { "bundle [option...] ID [FILE...]",
	NULL };

static const struct wv_opt table[] = {
	{ OPT_WITH_ARGUMENTS, "with-arguments", NULL,
		"arguments themselves, redacted, and not only their digests" },
	{ OPT_SIGN, "sign", "KID", "sign it with a key of the state" },
	{ 'n', "limit", "N", "most events of a request (10000)" },
	{ 'm', "multi", NULL, "standard input holds documents, not lines" },
	EVENTS_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Writes the TraceBundle of one request: its records from the "
		 "FILEs, checked against store and log, and its events and "
		 "Handles from these.",
	.opts = table,
	.examples = "  wv-trace bundle rd-1 routing.jsonl decisions.jsonl "
		    "frames.jsonl >bundle.json\n",
};

/* The one request that the events are of. */
static void
find_request(struct bundle *b)
{
	const struct story *story = &b->story;

	for (size_t i = 0; i < story->count; i++) {
		const char *id = story_text(story->events[i].event,
			"/metadata/x_wv_routing_decision_id");
		if (id == NULL)
			continue;
		if (b->request != NULL && strcmp(id, b->request) != 0)
			wv_die("%s is of several requests: %s, %s", story->id,
				b->request, id);
		b->request = id;
	}
	if (story->count > 0 && b->request == NULL)
		wv_die("%s is of no request", story->id);
}

/* In place of a member, what proves it. */
static void
hide(struct bundle *b, cJSON *object, const char *name, const char *proof)
{
	const cJSON *arguments = wv_get(object, name);
	char sha256[WV_SHA256_HEX];

	if (arguments == NULL)
		return;
	wv_json_digest(sha256, arguments);
	wv_put_string(&b->arena, object, proof, sha256);
	wv_take(object, name);
}

static cJSON *
shown_routing(struct bundle *b, cJSON *routing)
{
	if (routing == NULL)
		return NULL;
	if (!b->with_arguments)
		hide(b, wv_get(routing, "metadata"), "x_wv_arguments",
			"x_wv_arguments_sha256");
	events_redact(&b->arena, routing);
	return routing;
}

static cJSON *
shown_decisions(struct bundle *b, cJSON *decisions)
{
	wv_json_each(decision, decisions) {
		if (!b->with_arguments)
			hide(b,
				wv_pointer(
					decision, "/metadata/x_wv_invocation"),
				"arguments", "arguments_sha256");
		events_redact(&b->arena, decision);
	}
	return decisions;
}

static cJSON *
make_handle(
	struct bundle *b, const struct wv_artifact *artifact, const char *made)
{
	struct wv_arena *arena = &b->arena;
	cJSON *handle = wv_json_object(arena), *metadata;

	wv_put_string(arena, handle, "handle_id", artifact->handle_id);
	wv_put_string(arena, handle, "capability_id",
		artifact->capability_id != NULL ? artifact->capability_id
						: WV_NO_CAPABILITY);
	wv_put_string(arena, handle, "artifact_type",
		artifact->media_type != NULL ? artifact->media_type
					     : "application/octet-stream");
	wv_put_string(arena, handle, "created_at", made);
	if (artifact->expires_at.sec != 0)
		wv_put(arena, handle, "expires_at",
			wv_json_time(arena, artifact->expires_at));
	wv_put_string(arena, handle, "access_policy", "wv.handle.resolve");
	wv_put(arena, handle, "byte_size",
		wv_json_int(arena, (int64_t)artifact->size));
	metadata = wv_put_object(arena, handle, "metadata");
	wv_put_string(arena, metadata, "x_wv_sha256", artifact->digest);
	if (artifact->decision_id != NULL)
		wv_put_string(arena, metadata, "x_wv_decision_id",
			artifact->decision_id);
	return handle;
}

/* As long as the store has it, expired or not. */
static void
add_handle(struct bundle *b, cJSON *list, const char *id, const char *made)
{
	static const struct wv_time beginning;
	struct wv_err err = WV_ERR_INIT;
	struct wv_artifact artifact;
	int found = wv_artifact_find(
		b->state, &b->arena, id, beginning, &artifact, &err);

	if (found < 0)
		wv_die_err(&err);
	if (found == 0)
		bundle_miss(b, "Handle %s, which the store has forgotten", id);
	else if (made == NULL)
		bundle_miss(b, "when Handle %s was made, in the log", id);
	else
		wv_push(list, make_handle(b, &artifact, made));
}

static cJSON *
find_handles(struct bundle *b)
{
	cJSON *list = wv_json_array(&b->arena);
	struct wv_map done = { 0 };

	for (size_t i = 0; i < b->story.count; i++) {
		const cJSON *event = b->story.events[i].event;
		const char *id = wv_get_string(event, "handle_id");
		if (id != NULL && *wv_map_add(&done, id, i) == i)
			add_handle(b, list, id, story_made(&b->story, id));
	}
	wv_map_free(&done);
	return list;
}

static cJSON *
events_of(struct bundle *b)
{
	cJSON *list = wv_json_array(&b->arena);

	for (size_t i = 0; i < b->story.count; i++)
		wv_push(list, b->story.events[i].event);
	return list;
}

/* Members in the order of the contract; NULL: there can be none. */
static cJSON *
make(struct bundle *b)
{
	struct wv_arena *arena = &b->arena;
	cJSON *bundle = wv_json_object(arena);
	cJSON *routing = bundle_routing(b), *decisions = bundle_decisions(b);
	cJSON *frames = bundle_frames(b), *handles = find_handles(b);
	char id[WV_ID_MAX];

	bundle_check_rest(b);
	if (routing == NULL || b->is_false)
		return NULL;
	wv_id_new(id, "bundle");
	wv_put_string(arena, bundle, "bundle_id", id);
	wv_put(arena, bundle, "routing_decision", shown_routing(b, routing));
	wv_put(arena, bundle, "policy_decisions",
		shown_decisions(b, decisions));
	wv_put(arena, bundle, "frames", frames);
	wv_put(arena, bundle, "handles", handles);
	wv_put(arena, bundle, "trace_events", events_of(b));
	wv_put_string(arena, bundle, "canonicalization", "JCS");
	wv_put(arena, bundle, "created_at", wv_json_time(arena, b->state->now));
	if (b->missing->child != NULL)
		wv_put(arena, wv_put_object(arena, bundle, "metadata"),
			"x_wv_missing", b->missing);
	return bundle;
}

static void
sign(struct bundle *b, cJSON *bundle)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_signer *signer = wv_key_open(b->state, b->kid, &err);

	if (signer == NULL ||
		wv_signature_make(&b->arena, bundle, "signature", signer,
			b->kid, b->state->now, &err) < 0)
		wv_die_err(&err);
	wv_signer_free(signer);
}

static void
write_bundle(struct bundle *b, cJSON *bundle)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str line = { 0 };
	struct wv_out out;

	if (b->kid != NULL)
		sign(b, bundle);
	if (wv_contract_require(WV_TRACE_BUNDLE, bundle, &err) < 0)
		wv_die_err(&err);
	wv_json_write(&line, bundle);
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_out_line(&out, line.s, line.n);
	wv_out_end(&out);
	wv_str_free(&line);
}

static int
run(struct bundle *b, char *const *files)
{
	cJSON *bundle;

	story_collect(&b->story);
	if (b->story.count == 0 && b->in.seen > 0) {
		wv_warn(b->story.near ? "nothing names %s; did you mean %s?"
				      : "nothing names %s",
			b->story.id, b->story.near);
		return WV_NO;
	}
	if (b->story.count == 0)
		return WV_TROUBLE;
	if (b->story.is_cut)
		wv_die("the request has more than %zu events (--limit)",
			b->story.limit);
	find_request(b);
	b->missing = wv_json_array(&b->arena);
	bundle_gather(b, files);
	bundle = make(b);
	if (bundle != NULL)
		write_bundle(b, bundle);
	if (b->missing->child != NULL || b->has_bad)
		return WV_TROUBLE;
	return b->is_false ? WV_NO : WV_YES;
}

static void
read_options(struct bundle *b, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == OPT_WITH_ARGUMENTS)
			b->with_arguments = true;
		else if (id == OPT_SIGN)
			b->kid = opts->value;
		else if (id == 'n')
			b->story.limit = (size_t)wv_opt_int(
				opts, "--limit", opts->value, 1, INT32_MAX);
		else
			events_option(&b->in, id, opts);
	}
	if (opts->operand_count == 0 || opts->operands[0][0] == '\0')
		wv_usage(opts, "bundle: of which request? give its ID");
	if (opts->operand_count == 1 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
	b->story.id = opts->operands[0];
	b->lines = b->in.lines;
	b->in.lines.multi = false;
	b->lines.allow_empty = true; /* what is missing is told by name */
}

static void
open_state(struct bundle *b)
{
	struct wv_err err = WV_ERR_INIT;

	b->state = wv_state_need(b->in.state, WV_STATE_READ, false);
	if (wv_state_key(b->state, &err) < 0)
		wv_die_err(&err);
	if (b->kid != NULL && !b->state->test &&
		(wv_time_is_fixed() || wv_id_is_test()))
		wv_die("--sign: --now and WV_IDS are for a state made by "
		       "`wv-token init --test`");
}

int
bundle_main(int argc, char **argv)
{
	static char *const none[] = { NULL };
	static struct bundle b = {
		.in = { .lines = WV_LINES_OPTIONS_INIT, .files = none },
		.story = { .limit = LIMIT, .only_request = true },
	};
	struct wv_opts opts;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&b, &opts);
	open_state(&b);
	b.story.in = &b.in;
	int status = run(&b, opts.operands + 1);
	status = wv_worse(status, events_end(&b.in));
	wv_map_free(&b.index);
	free(b.records);
	story_free(&b.story);
	wv_arena_free(&b.arena);
	wv_state_close(b.state);
	wv_opt_end(&opts);
	return status;
}
