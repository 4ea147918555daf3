#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Tools that die, or cannot write, at any step: fault/shim.c kills them before
# the k-th write, sync, truncation or making of a file, for every k; `undo`
# also loses what was not synced by then, log and store alike.  After each:
# the next tool puts it right; the log verifies; no decision was emitted that
# the store lacks; no token is accepted twice; every consumed decision has
# exactly one capability_executed.
#
# `make check` takes every few steps, `make check-long` (WV_LONG) every one.

load lib
load state

setup_file() {
	command -v "${CC:-cc}" >/dev/null || skip "no C compiler"
	export shim="$BATS_FILE_TMPDIR/shim.so"
	"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -o "$shim" \
		"$BATS_TEST_DIRNAME/fault/shim.c" -ldl
	build_sql
}

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	issue=(wv-token issue --principal agent-7 --scope 'org.demo.*')
	stride=9
	[ -z "$WV_LONG" ] || stride=1
}

# with_fault NAME=VALUE… COMMAND…
with_fault() {
	env LD_PRELOAD="$shim" WV_FAULT_DIR="$WV_STATE" \
		ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" "$@"
}

# the state as every try finds it; none if there is no base
restore() {
	rm -rf "$WV_STATE" runs
	[ ! -d base ] || cp -a base "$WV_STATE"
}

# points LEAST COMMAND…: the steps to die at, the last of which is its exit
points() {
	local least=$1 total
	shift
	restore
	rm -f count
	with_fault WV_FAULT_COUNT="$PWD/count" "$@" >/dev/null
	read -r total _ <count
	[ "$total" -ge "$least" ]
	echo $(seq 1 $stride $((total - 1))) $total
}

# killed K MODE COMMAND…: it is, and nothing else
killed() {
	local k=$1 undo=0 status=0
	[ "$2" = undo ] && undo=1
	shift 2
	restore
	with_fault WV_FAULT_KILL="$k" WV_FAULT_UNDO=$undo "$@" || status=$?
	[ $status = 137 ] || {
		echo "step $k: status $status: $*" >&2
		return 1
	}
}

# the log is whole, and what a dead writer left is settled
is_settled() {
	wv-trace verify >report 2>messages || {
		echo "step $k, $mode:"
		cat messages
		return 1
	}
	! grep -q "unknown to the store" messages || {
		echo "step $k, $mode: not settled"
		return 1
	}
}

# Tokens whose issue stands in the log, and was not voided.
standing_tokens() {
	wv-trace --event issued 2>/dev/null |
		grep -o '"x_wv_token_id":"[^"]*"' | sort >issued || :
	wv-trace --event invalidated --code not_committed 2>/dev/null |
		grep -o '"x_wv_token_id":"[^"]*"' | sort >voided || :
	comm -23 issued voided | wc -l
}

# each emitted token stands; none that was not is left standing but for one
# whose tool died between commit and output
tokens_are_right() {
	local emitted=$1 standing
	standing=$(standing_tokens)
	[ "$standing" -ge "$emitted" ]
	[ "$standing" -le $((emitted + 1)) ]
	[ -z "$(uniq -d voided)" ]
}

@test "wv-token issue makes the state, and is killed at every step" {
	# all of it: folders, key, log, store, schema, group
	ks=$(points 40 "${issue[@]}" --ttl 1h)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${issue[@]}" --ttl 1h >token
			n=$(wc -l <token)
			"${issue[@]}" --ttl 1h >/dev/null
			is_settled
			tokens_are_right $((n + 1))
		done
		[ $n = 1 ]
	done
}

@test "wv-token issue is killed at every step of a group" {
	"${issue[@]}" --ttl 1h >/dev/null
	cp -a "$WV_STATE" base
	ks=$(points 8 "${issue[@]}" --ttl 1h)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${issue[@]}" --ttl 1h >token
			n=$(wc -l <token)
			"${issue[@]}" --ttl 1h >/dev/null
			is_settled
			tokens_are_right $((n + 2))
		done
		[ $n = 1 ]
	done
}

@test "a group of events is killed at every step: all of it, or none" {
	"${issue[@]}" --ttl 1h >/dev/null
	cp -a "$WV_STATE" base
	for i in $(seq 100); do
		printf '{"event_id":"e%d","event_type":"flow_started",' $i
		printf '"timestamp":"2026-01-01T00:00:00Z"}\n'
	done >events.jsonl
	append=(wv-trace append --foreign x events.jsonl)
	ks=$(points 8 "${append[@]}")
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${append[@]}"
			"${issue[@]}" --ttl 1h >/dev/null
			is_settled
			n=$(wv-trace --count --event flow_started || :)
			[ $n = 0 ] || [ $n = 100 ]
		done
		[ $n = 100 ]
	done
}

@test "a recovery is killed at every step, and begun again" {
	"${issue[@]}" --ttl 1h >/dev/null
	cp -a "$WV_STATE" base
	# a token that is logged, but not committed; and a torn tail
	k=1
	until
		killed $k plain "${issue[@]}" --ttl 1h >/dev/null
		wv-trace verify 2>&1 | grep -q "unknown to the store"
	do
		k=$((k + 1))
	done
	printf '{"torn' >>"$WV_STATE/audit.jsonl"
	rm -rf base
	cp -a "$WV_STATE" base
	ks=$(points 8 "${issue[@]}" --ttl 1h)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${issue[@]}" --ttl 1h >token
			n=$(wc -l <token)
			"${issue[@]}" --ttl 1h >/dev/null
			is_settled
			[ "$(wv-trace --code not_committed --count)" -ge 1 ]
			tokens_are_right $((n + 2))
		done
	done
}

# settle_after MODE: another tool comes, and the log is right
settle_after() {
	mode=$1
	"${issue[@]}" --ttl 1h >/dev/null
	is_settled
}

# revocation_is_killed COMMAND…: the token of token.json, which is good,
# is worthless from when its revocation stands in the log
revocation_is_killed() {
	local ks mode status
	cp -a "$WV_STATE" base
	wv-token verify --keyring keyring.json token.json >/dev/null
	ks=$(points 8 "$@")
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "$@"
			settle_after $mode
			status=0
			wv-token verify --keyring keyring.json token.json \
				>/dev/null 2>messages || status=$?
			if wv-trace --code token_revoked --count >count ||
				[ $k = "${ks##* }" ]; then
				[ $status = 1 ]
				grep -q token_revoked messages
			else
				[ $status = 0 ]
			fi
		done
	done
}

@test "a revocation is killed at every step: once logged it holds" {
	wv-token keygen --kid k1 --keyring keyring.json
	"${issue[@]}" --ttl 1h --sign k1 --issuer iss >token.json
	id=$(sed 's/.*"token_id":"//; s/".*//' token.json)
	cp -a "$WV_STATE" good
	for what in "--kid k1" "$id" "--issuer iss $id" "--principal agent-7"; do
		rm -rf base "$WV_STATE"
		cp -a good "$WV_STATE"
		# shellcheck disable=SC2086 # words
		revocation_is_killed wv-token revoke $what
	done
}

@test "wv-token narrow is killed at every step" {
	"${issue[@]}" --ttl 1h >parent.json
	cp -a "$WV_STATE" base
	narrow=(wv-token narrow --scope org.demo.run parent.json)
	ks=$(points 8 "${narrow[@]}")
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${narrow[@]}" >token
			n=$(wc -l <token)
			settle_after $mode
			tokens_are_right $((n + 2))
			[ $n = 0 ] || wv-token verify token >/dev/null
		done
		[ $n = 1 ]
	done
}

# A day later what ended is forgotten, in the same commit as the group.
@test "pruning is killed at every step: what matters is never forgotten" {
	need_sql
	wv-token init --test
	at=--now=2026-01-01T00:00:00Z
	later=--now=2026-01-02T03:00:00Z
	policy
	request 1 >request.jsonl
	"${issue[@]}" --single-use $at >token.json
	authorize=(wv-authorize -p policy.yaml -k token.json request.jsonl)
	"${authorize[@]}" $at >decision.jsonl
	for i in 1 2 3; do
		"${issue[@]}" --ttl 1h $at >/dev/null
	done
	wv-token revoke --principal agent-8 $at
	cp -a "$WV_STATE" base
	ks=$(points 8 "${issue[@]}" --ttl 7d $later)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${issue[@]}" --ttl 7d $later >token
			n=$(wc -l <token)
			"${issue[@]}" --ttl 7d $later >/dev/null
			is_settled
			run "${authorize[@]}" $later
			[ "$status" = 1 ]
			[[ "$output" == *token_spent* ]]
			kept=$("$sql" "$WV_STATE/kernel.db" <<-'END'
			SELECT (SELECT count(*) FROM token),
				(SELECT count(*) FROM decision),
				(SELECT count(*) FROM claim),
				(SELECT count(*) FROM revoked_principal);
			END
			)
			# the spent one, and what was issued a day later
			[[ "$kept" =~ ^[2-3]'|0|1|1'$ ]] || {
				echo "step $k, $mode: $kept"
				return 1
			}
		done
		[ $n = 1 ]
	done
}

# killed_migration VERSION
killed_migration() {
	old_state "$1"
	cp -a "$WV_STATE" base
	ks=$(points 4 wv-trace recover)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode wv-trace recover 2>/dev/null
			version=$("$sql" "$WV_STATE/kernel.db" \
				<<<'PRAGMA user_version')
			[ "$version" = "$1" ] || [ "$version" = 4 ]
			wv-trace recover 2>/dev/null
			dump_store "$WV_STATE/kernel.db" >got
			head -n "$(wc -l <want)" got | diff want -
			tail -n 2 got | tr '\n' ' ' | grep -qx '4 ok '
			wv-token verify token.json >/dev/null
			settle_after $mode
		done
		[ "$version" = 4 ]
	done
}

@test "a migration is killed at every step: all of it, or none" {
	killed_migration 1
}

@test "and so is one from version 2" {
	killed_migration 2
}

@test "and so is one from version 3" {
	killed_migration 3
}

# Four lines, and what dead writers left of a fifth: `torn`.
log_to_rotate() {
	for i in 1 2 3 4; do
		"${issue[@]}" --ttl 1h >/dev/null
	done
	[ "$1" = clean ] || printf '{"torn' >>"$WV_STATE/audit.jsonl"
}

# every line of the log, over its files, once: those of `whole` first
nothing_is_lost() {
	cat "$WV_STATE"/audit.jsonl.[0-9]* "$WV_STATE/audit.jsonl" \
		2>/dev/null >all || :
	head -n 4 all | diff whole - >&2
	[ "$(grep -c '"x_wv_chain"' all)" = "$1" ]
	[ "$(grep -o '"seq":[0-9]*' all | sort -u | wc -l)" = "$1" ]
}

@test "wv-trace rotate is killed at every step: no line is lost" {
	for tail in clean torn; do
		rm -rf base "$WV_STATE"
		log_to_rotate $tail
		head -n 4 "$WV_STATE/audit.jsonl" >whole
		cp -a "$WV_STATE" base
		ks=$(points 6 wv-trace rotate)
		for mode in plain undo; do
			for k in $ks; do
				killed $k $mode wv-trace rotate >/dev/null
				# whoever only reads finds all of it
				wv-trace verify >seen
				grep -q '"lines":[45],' seen
				settle_after $mode
				nothing_is_lost 5
				wv-trace rotate >/dev/null
				settle_after $mode
				nothing_is_lost 6
			done
		done
		[ -e "$WV_STATE/audit.jsonl.2" ]
	done
}

@test "what follows a rotation is killed at every step" {
	log_to_rotate torn
	head -n 4 "$WV_STATE/audit.jsonl" >whole
	wv-trace rotate
	cp -a "$WV_STATE" base
	ks=$(points 8 "${issue[@]}" --ttl 1h)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${issue[@]}" --ttl 1h >/dev/null
			settle_after $mode
			wv-trace rotate >/dev/null
			settle_after $mode
			[ "$(tail -n 1 "$WV_STATE/audit.jsonl" |
				grep -c '"segment":2')" = 1 ]
		done
	done
}

@test "wv-trace seal is killed at every step" {
	log_to_rotate clean
	wv-token keygen --kid k1 --keyring keyring.json
	wv-trace seal --sign k1 >first
	"${issue[@]}" --ttl 1h >/dev/null
	cp -a "$WV_STATE" base
	ks=$(points 4 wv-trace seal --sign k1)
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode wv-trace seal --sign k1 >sealed
			n=$(wc -l <sealed)
			wv-trace seal --sign k1 >again
			cmp <(head -n 1 "$WV_STATE/checkpoints.jsonl") first
			[ "$(wc -l <"$WV_STATE/checkpoints.jsonl")" -ge \
				$((n + 2)) ]
			wv-trace verify --keyring keyring.json \
				--checkpoint "$WV_STATE/checkpoints.jsonl"
			cat first sealed again >kept
			wv-trace verify --keyring keyring.json \
				--checkpoint again
		done
		[ $n = 1 ]
	done
}

@test "wv-trace recover is killed at every step, with and without a log" {
	for i in 1 2 3 4; do
		"${issue[@]}" --ttl 1h >/dev/null
	done
	head=$(tail -n 1 "$WV_STATE/audit.jsonl" | head -c -1 | sha256sum |
		cut -c1-64)
	head -n 2 "$WV_STATE/audit.jsonl" >cut
	mv "$WV_STATE" whole
	for log in cut none; do
		rm -rf base
		cp -a whole base
		rm base/audit.jsonl
		[ $log = none ] || (umask 077 && cp cut base/audit.jsonl)
		ks=$(points 3 wv-trace recover)
		for mode in plain undo; do
			for k in $ks; do
				killed $k $mode wv-trace recover 2>/dev/null
				[ $log = none ] ||
					cmp cut "$WV_STATE/audit.jsonl"
				wv-trace recover 2>/dev/null
				settle_after $mode
				grep -q "\"lost\":{\"seq\":4,\"sha256\":\"$head\"}" \
					"$WV_STATE/audit.jsonl"
			done
		done
		restore
		wv-trace recover 2>/dev/null
		# the line that tells of it is killed too
		rm -rf base
		cp -a "$WV_STATE" base
		ks=$(points 8 "${issue[@]}" --ttl 1h)
		for mode in plain undo; do
			for k in $ks; do
				killed $k $mode "${issue[@]}" --ttl 1h >/dev/null
				settle_after $mode
				[ "$(grep -c '"lost":' "$WV_STATE/audit.jsonl")" = 1 ]
			done
		done
	done
}

# Things that go wrong without a death: the tool says so, emits nothing, and
# the next one goes on.
@test "a write, sync or truncation fails at every step" {
	"${issue[@]}" --ttl 1h >/dev/null
	cp -a "$WV_STATE" base
	for how in ENOSPC EIO short; do
		for once in 0 1; do
			mode="$how once=$once"
			for k in $(seq 1 $stride 30); do
				restore
				status=0
				with_fault WV_FAULT_FAIL=$k WV_FAULT_HOW=$how \
					WV_FAULT_ONCE=$once "${issue[@]}" \
					--ttl 1h >token 2>err || status=$?
				n=$(wc -l <token)
				if [ $status = 0 ]; then
					[ $n = 1 ]
				else
					[ $status = 2 ]
					[ $n = 0 ]
					grep -q '^wv-token: ' err
					# why a sync failed, SQLite does not say
					[ $how != ENOSPC ] || grep -qiE \
						'no space left|kernel.db: disk I/O' err
				fi
				! grep -q 'audit.jsonl: ' err ||
					cmp base/audit.jsonl \
						"$WV_STATE/audit.jsonl"
				"${issue[@]}" --ttl 1h >/dev/null
				is_settled
				standing=$(standing_tokens)
				# a commit of which only the sync failed may
				# still turn out to be one
				[ $standing = $((n + 2)) ] || {
					grep -q 'kernel.db: ' err
					[ $standing = $((n + 3)) ]
				}
			done
		done
	done
}

# --- the pipeline

policy() {
	cat >policy.yaml <<-'END'
	version: 1
	default: deny
	rules:
	  - name: all
	    effect: allow
	    match: {capability: ["org.demo.*"]}
	END
}

# request N
request() {
	printf '{"id":"rd-%d","choice_cards":[{"id":"c","items":[{"id":"i",' $1
	printf '"label":"l","description":"d","capability_id":"org.demo.run"'
	printf '}]}],"selected_item_id":"i","selected_card_id":"c",'
	printf '"timestamp":"2026-01-01T00:00:00Z",'
	printf '"metadata":{"x_wv_arguments":{"n":"%d"}}}\n' $1
}

# a tool that leaves a trace each time it runs
tools() {
	cat >tools.yaml <<-END
	version: 1
	tools:
	  - capability: org.demo.run
	    source: exec
	    command: [sh, -c, 'echo "\$1" >>$PWD/runs; echo done', sh, "{n}"]
	END
}

decision_ids() {
	grep -o '"decision_id":"[^"]*"' | sort
}

executed() {
	wv-trace --event capability_executed 2>/dev/null | decision_ids
}

@test "wv-authorize is killed at every step: a token is spent once" {
	policy
	tools
	request 1 >request.jsonl
	"${issue[@]}" --single-use >token.json
	cp -a "$WV_STATE" base
	authorize=(wv-authorize -p policy.yaml -k token.json request.jsonl)
	ks=$(points 8 "${authorize[@]}")
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${authorize[@]}" >first
			"${authorize[@]}" >second || [ $? = 1 ]
			is_settled
			cat first second | grep '"decision":"allow"' >allowed ||
				:
			[ "$(wc -l <allowed)" -le 1 ]
			# what was emitted is in the store
			[ ! -s allowed ] || wv-call -T tools.yaml allowed >frames
			[ ! -s allowed ] || [ "$(wc -l <runs)" = 1 ]
			wv-trace --event authorized | decision_ids >given || :
			wv-trace --code not_committed | decision_ids >void || :
			[ "$(comm -23 given void | wc -l)" -le 1 ]
			[ -z "$(uniq -d void)" ]
		done
		[ -s first ]
	done
}

@test "wv-call is killed at every step: executed exactly once" {
	policy
	tools
	{
		request 1
		request 2
	} >request.jsonl
	"${issue[@]}" --ttl 1h >token.json
	wv-authorize -p policy.yaml -k token.json request.jsonl >decisions.jsonl
	decision_ids <decisions.jsonl >wanted
	cp -a "$WV_STATE" base
	call=(wv-call -T tools.yaml decisions.jsonl)
	ks=$(points 16 "${call[@]}")
	for mode in plain undo; do
		for k in $ks; do
			killed $k $mode "${call[@]}" >frames
			"${call[@]}" >again || [ $? = 1 ]
			is_settled
			executed >got
			diff wanted got
			[ ! -e runs ] || [ -z "$(sort runs | uniq -d)" ]
			# a Frame that got out tells of an execution
			[ "$(wc -l <frames)" -le "$(wc -l <got)" ]
		done
		[ "$(wc -l <frames)" = 2 ]
	done
}

@test "a pipeline is killed at either end, at every step" {
	policy
	tools
	for i in 1 2 3; do request $i; done >request.jsonl
	"${issue[@]}" --ttl 1h >token.json
	cp -a "$WV_STATE" base
	for mode in plain undo; do
		[ $mode = undo ] && undo=1 || undo=0
		for end in wv-authorize wv-call; do
			for ((k = 2; k < 60; k += stride * stride)); do
				restore
				fault=(with_fault WV_FAULT_KILL=$k
					WV_FAULT_UNDO=$undo)
				one=() two=()
				[ $end = wv-call ] || one=("${fault[@]}")
				[ $end = wv-call ] && two=("${fault[@]}")
				"${one[@]}" wv-authorize -p policy.yaml \
					-k token.json request.jsonl 2>err1 |
					tee decisions |
					"${two[@]}" wv-call --allow-empty \
						-T tools.yaml >frames 2>err2 || :
				wv-call --allow-empty -T tools.yaml \
					decisions >again || [ $? = 1 ]
				"${issue[@]}" --ttl 1h >other
				is_settled
				decision_ids <decisions >wanted
				executed >got
				diff wanted got
				[ ! -e runs ] ||
					[ -z "$(sort runs | uniq -d)" ]
			done
		done
	done
}

# syncs COMMAND…: how many it made
syncs() {
	rm -f count
	with_fault WV_FAULT_COUNT="$PWD/count" "$@" >/dev/null
	cut -d' ' -f2 count
}

@test "two syncs a group, none for a group without changes" {
	policy
	for file in a b c; do
		printf '{"event_id":"%s","event_type":"flow_started",' $file
		printf '"timestamp":"2026-01-01T00:00:00Z"}\n'
	done >a.jsonl
	cp a.jsonl b.jsonl
	cp a.jsonl c.jsonl
	"${issue[@]}" --ttl 1h >token.json
	append=(wv-trace append --foreign x)
	# a file is at least a group; the first of a process also syncs the
	# folder, once
	one=$(syncs "${append[@]}" a.jsonl)
	[ "$one" -le 3 ]
	[ "$(syncs "${append[@]}" a.jsonl b.jsonl c.jsonl)" = $((one + 4)) ]
	request 1 >one.jsonl
	[ "$(syncs wv-authorize --dry-run -p policy.yaml -k token.json \
		one.jsonl)" = 0 ]
	wv-token revoke tok-1
	[ "$(syncs wv-token revoke tok-1)" = 0 ]
	[ "$(syncs wv-trace verify)" = 0 ]
}
