#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-call: what bounds a tool, and what it is bound to: the limits of its
# process, and of the resources that are looked at before and after it.

load lib
load call

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	use_policy
	mkdir res
}

teardown() {
	nothing_left
}

# bound ACCESS SCRIPT: tools.yaml with a tool that is bound to res
bound() {
	tools <<<"- {capability: org.demo.x, source: exec, command: [bash, -c, '$2'], resources: [{name: r, dir: res, access: $1}]}"
}

# the changes of the last execution
changes() {
	last_event capability_executed |
		jq -c '.metadata.x_wv_trace.changes // []'
}

@test "the limits of a process are the kernel's" {
	tools <<-'END'
		- capability: org.demo.x
		  source: exec
		  command: [bash, -c, "ulimit -St -Sv -Sf -Sn -Su | grep -o '[0-9]*$'"]
		  limits: {cpu: 77, memory: 1073741824, file: 1048576, open_files: 33, processes: 4999}
		- capability: org.demo.files
		  source: exec
		  command: [bash, -c, "for i in 1 2 3 4; do exec {fd}<&0 || exit; done"]
		  limits: {open_files: 5}
	END
	decided >d.jsonl
	decided org.demo.files >>d.jsonl
	calls 1 -T tools.yaml d.jsonl
	[ "$(jq -cs '.[0].structured_data.lines | map(tonumber) | sort' <<<"$output")" = \
		'[33,77,1024,4999,1048576]' ]
	output=${lines[1]} fails_as execution 'exit status 1'
}

@test "what a tool made of what it is bound to is in the log, with digests" {
	echo old >res/changed
	echo gone >res/removed
	ln -s a res/link
	bound read_write 'cd res; echo new >changed; rm removed; echo made >made; ln -sf b link'
	decided >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	sha() { sha256sum | cut -c 1-64; }
	[ "$(changes)" = "$(jq -nc --arg old "$(echo old | sha)" \
		--arg new "$(echo new | sha)" --arg gone "$(echo gone | sha)" \
		--arg made "$(echo made | sha)" --arg a "$(printf a | sha)" \
		--arg b "$(printf b | sha)" '[
		{resource: "r", path: "changed", change: "modified", before: $old, after: $new},
		{resource: "r", path: "link", change: "modified", before: $a, after: $b},
		{resource: "r", path: "made", change: "created", after: $made},
		{resource: "r", path: "removed", change: "removed", before: $gone}]')" ]
	refute grep -qE 'old|made' <<<"$output"
	wv-trace verify
}

@test "many changes are counted, their names cannot forge a line" {
	bound read_write 'cd res; touch {100..199} $(printf "\\n\\033[1m")'
	decided >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	[ "$(changes | jq -c '[length, .[62].path, .[63]]')" = \
		'[64,"161",{"more":38}]' ]
	[ "$(wc -l <"$WV_STATE/audit.jsonl")" = "$(grep -c '^{.*}$' "$WV_STATE/audit.jsonl")" ]
}

@test "a read_only resource: whatever was done to it is an error, and told" {
	echo text >res/f
	touch -d @1 res/f
	for script in 'echo TEXT >res/f; touch -d @1 res/f' 'chmod 600 res/f' \
		'touch res/g' 'mv res other; ln -s other res'; do
		bound read_only "$script"
		decided >d.jsonl
		calls 1 -T tools.yaml d.jsonl
		fails_as execution 'wrote to the resource "r", which is read_only'
		[ "$(changes)" != '[]' ]
		chmod 644 res/f
		[ ! -h res ] || { rm res; mv other res; }
	done
	bound read_only 'cat res/f; touch res/f'
	decided >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	[ "$(changes)" = '[]' ]
}

@test "a resource that cannot be looked at: nothing runs" {
	refused() {
		decided >d.jsonl
		calls 1 -T tools.yaml d.jsonl
		fails_as execution "$1"
		[ ! -e ran ]
	}
	bound read_write 'touch ran'
	mv res other
	ln -s other res
	refused 'resource "r" is a symbolic link'
	rm res
	touch res
	refused 'resource "r" is not a folder'
	rm res
	mkdir -p "res/$(printf 'd/%.0s' {1..100})"
	refused 'resource "r" has more than 100 folders within folders'
	rm -r res
	mkdir res
	truncate -s 9G res/holes || skip 'no file can be so large'
	refused 'resources hold more than 8589934592 bytes'
	rm res/holes
	mkfifo res/fifo
	decided >d.jsonl
	calls 0 -T tools.yaml d.jsonl
	[ -e ran ]
}

@test "a resource that the tool made too large to look at fails its call" {
	bound read_write 'truncate -s 9G res/holes && echo done'
	decided >d.jsonl
	calls 1 -T tools.yaml d.jsonl
	fails_as execution 'what it changed cannot be told: resources hold more than'
	[ "$(events capability_executed)" = 1 ]
}

# A reader that stood still kept us in a write, with the signals that end us
# blocked: no time-out held, and TERM did nothing.
@test "a reader that does not read: time-outs and signals hold all the same" {
	local background
	ended() {
		[ "$(events capability_executed)" = "$1" ]
	}
	tools <<<'- {capability: org.demo.x, source: exec, timeout: 200ms, command: [sleep, "60"]}'
	decided >d.jsonl
	printf '{"decision_id":"d","decision":"deny","capability_id":"c","principal":"p","timestamp":"2026-01-01T00:00:00Z","reason":"%0200000d"}\n' 0 >long.jsonl
	mkfifo pipe
	exec 7<>pipe
	wv-call -T tools.yaml long.jsonl d.jsonl >pipe 2>err 3>&- 7>&- &
	background=$!
	eventually ended 1
	last_event capability_executed | grep -q '"error":"timeout"'
	kill -TERM "$background"
	wait "$background" && return 1
	told 'nobody reads the answers: '
	exec 7>&-
	# one that only begins late gets all
	decided >d.jsonl
	wv-call -T tools.yaml long.jsonl d.jsonl >pipe 2>err 3>&- &
	background=$!
	exec 7<pipe
	eventually ended 2
	cat <&7 >out
	wait "$background" || [ $? = 1 ]
	[ "$(wc -l <out)" = 2 ]
	head -n 1 out | cmp - long.jsonl
}

# All of a call was kept until it was said: 128 outputs of 8 MB.
@test "of a call that waits for its turn only its answer is kept" {
	local background
	tools <<-'END'
		- {capability: org.demo.first, source: exec, command: [sleep, "60"]}
		- {capability: org.demo.x, source: exec, command: [head, -c, "8000000", /dev/zero]}
	END
	{ echo org.demo.first; printf 'org.demo.x\n%.0s' {1..31}; } | decisions >d.jsonl
	(ulimit -v 131072 && wv-call --version >/dev/null 2>&1) ||
		skip "this build takes more addresses than memory"
	(ulimit -v 131072 && exec wv-call -j 2 -T tools.yaml d.jsonl >out 2>err 3>&-) &
	background=$!
	ended() {
		[ "$(events capability_executed)" = 31 ]
	}
	eventually ended
	[ ! -s out ]
	kill -TERM "$background"
	wait "$background" && return 1
	[ "$(wc -l <out)" = 32 ]
}

@test "with nothing left to wait for it waits for nothing" {
	# Once the last answer was there it was said only after a tenth of a
	# second in which nothing could happen.
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	cat >tools.yaml <<-END
	version: 1
	tools:
	  - {capability: wv.capability.list, source: builtin}
	END
	printf 'version: 1\ndefault: deny\nrules:\n  - {name: all, effect: allow, match: {capability: ["wv.**"]}}\n' >policy.yaml
	wv-token issue --principal agent-7 --scope wv.capability.list --ttl 1h >token.json
	wv-route -c tools.yaml --pin wv.capability.list |
		wv-authorize -p policy.yaml -k token.json >decided.jsonl
	# A leak checker cannot trace what is traced already.
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 \
		strace -o trace -e trace=poll,ppoll wv-call -T tools.yaml decided.jsonl >out
	[ -s out ]
	! grep Timeout trace
}
