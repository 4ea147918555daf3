#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-answer --artifacts: the raw text behind a summary, and builds at once.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >history.jsonl <<-END
		{"id":"r1","kind":"tool_result","text":"$(seq -s '\n' 400)\nneedle 4711\n$(seq -s '\n' 400)"}
		{"id":"u1","kind":"user_turn","text":"what now"}
	END
}

answer() {
	wv-answer --history history.jsonl --artifacts kept "$@" </dev/null
}

file_of() {
	printf %s "$1" | sha256sum | cut -d ' ' -f 1
}

@test "C10: a later process reads what was cut; ids stay what they were" {
	answer >out
	run ! grep needle out
	grep -Fx '| the whole is kept as artifact:r1' out
	grep -F '[ARTIFACTS]' out
	[ "$(tail -n 1 out)" = '| artifact:r1' ]
	wv-firewall -f text kept/"$(file_of r1)" | grep -Fx 'needle 4711'
	answer -f json | grep -F '"artifact_ref":"artifact:r1"'
}

@test "nobody else can read them" {
	answer >out
	[ "$(stat -c %a kept)" = 700 ]
	[ "$(stat -c %a kept/"$(file_of r1)")" = 600 ]
	chmod 750 kept
	fails_with 2 'other users' wv-answer --history history.jsonl \
		--artifacts kept </dev/null
}

@test "an id is no path" {
	sed -i 's|"r1"|"../../r1"|' history.jsonl
	answer >out
	[ -f kept/"$(file_of ../../r1)" ]
	[ "$(find . -name 'r1*')" = '' ]
}

@test "C8: what was redacted or dropped is not kept, and nothing is overwritten" {
	answer >out
	before=$(sha256sum kept/*)
	sed -i 's/"kind":"tool_result"/&,"sensitivity":"restricted"/' history.jsonl
	answer --sensitive redact >out
	grep -Fx '| [REDACTED:restricted]' out
	run ! grep artifact out
	answer >out
	[ "$before" = "$(sha256sum kept/*)" ]
	rm -r kept
	answer --sensitive redact >out
	[ "$(ls kept)" = lock ]
}

@test "another text under the same id is refused" {
	answer >out
	sed -i 's/4711/4712/' history.jsonl
	fails_with 2 'artifact:r1 is something else' wv-answer \
		--history history.jsonl --artifacts kept </dev/null
	[ -z "$output" ]
}

# the next build waited for ever, or wrote into the linked file
@test "what is no file of ours in the folder is not waited for, nor written to" {
	mkdir -m 700 kept
	mkfifo kept/unfinished
	timeout 20 wv-answer --history history.jsonl --artifacts kept </dev/null >out
	rm kept/"$(file_of r1)"
	echo mine >mine
	ln mine kept/unfinished
	answer >again
	cmp out again
	[ "$(cat mine)" = mine ]
	rm kept/"$(file_of r1)"
	mkfifo kept/"$(file_of r1)"
	fails_with 2 'something else' timeout 20 wv-answer \
		--history history.jsonl --artifacts kept </dev/null
}

@test "50 builds at once give what one after the other give" {
	answer >want
	rm -r kept
	for i in $(seq 50); do
		answer >got.$i &
	done
	wait
	for i in $(seq 50); do
		cmp want got.$i
	done
	find kept -type f | wc -l >count
	[ "$(cat count)" = 2 ]
}

@test "a build killed while it holds the folder blocks nobody" {
	mkdir -m 700 kept
	# it has the lock, and waits for nothing but its end
	bash -c 'exec 9>kept/lock; flock 9; echo held; exec sleep 100' >holder &
	holder=$!
	until grep -q held holder; do :; done
	answer >got &
	waiter=$!
	kill -9 "$holder"
	wait "$waiter"
	# what a killed one left half written is not taken for an artifact
	echo half >kept/unfinished
	chmod 600 kept/unfinished
	answer >again
	cmp got again
	sed -i 's/"r1"/"r2"/' history.jsonl
	answer >out
	[ -s kept/"$(file_of r2)" ]
}

@test "builds killed anywhere leave nothing that is in the way" {
	for i in $(seq 300); do
		echo "{\"id\":\"r$i\",\"kind\":\"tool_result\",\"text\":\"result $i of them\"}"
	done >history.jsonl
	answer >want
	for kept in 1 50 200; do
		rm -r kept
		answer >/dev/null &
		until [ -d kept ] && [ "$(find kept -type f | wc -l)" -ge $kept ]; do
			[ -d "/proc/$!" ] || break
		done
		kill -9 $! 2>/dev/null || true
		wait $! || true
		answer >got
		cmp want got
	done
}
