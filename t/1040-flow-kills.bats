#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow: generated flows whose process is killed at any point and that go on,
# beside the same flows left alone.  50 of them; 1,000 with WV_LONG.

load lib
load data/flow/lib

setup() {
	cd "$BATS_TEST_TMPDIR"
	use_state
	cat >tool.sh <<-'END'
		# every start of a step leaves a line; $1: its id, $2: fail or work
		echo "$1" >>starts
		[ "$2" = work ] || exit 1
		echo "{\"did\":\"$1\"}"
	END
	printf 'version: 1\ntools:\n' >tools.yaml
	for capability in t.work t.read; do
		cat >>tools.yaml <<-END
			  - capability: $capability
			    source: exec
			    command: [sh, tool.sh, "{id}", "{how}"]
			    input_schema: {type: object, required: [id, how], properties: {id: {type: string}, how: {type: string}}}
		END
	done
	printf 'version: 1\nrules:\n  - {name: all, effect: allow, match: {capability: ["t.*"]}}\n' >policy.yaml
	wv-token issue --principal tester --scope 't.*' --ttl 1d >token.json
}

# leg DELAY OPTION…: a leg that is killed DELAY seconds after its start
leg() {
	local delay=$1
	shift
	status=0
	# the shell that waits tells of the kill, which is none of ours
	bash -c 'timeout -s KILL "$@" >out 2>err; exit' _ "$delay" \
		wv-flow flow.yaml -T tools.yaml -p policy.yaml -k token.json \
		-j "$jobs" "$@" 2>told || status=$?
}

# the newest run; nothing if it has no journal yet
newest() {
	local file newest=
	for file in "$WV_STATE"/flows/*; do
		[ -s "$file" ] && newest=${file##*/}
	done
	id=${newest%.jsonl}
}

# resume DELAY: to the end, the first leg killed after DELAY seconds; names what
# is unknown, as a person would
resume() {
	local again=() delay=$1 step
	while :; do
		leg "$delay" --resume "$id" "${again[@]}"
		delay=30
		again=()
		[ "$status" = 137 ] && continue
		[ "$status" = 2 ] || return 0
		grep -q ' --rerun ' err || { cat flow.yaml err; return 1; }
		while read -r step; do
			again+=(--rerun "$step")
			reran+=("${step%%\[*}")
		done < <(sed -n 's/.* --rerun \([^ ]*\) or .*/\1/p' err)
	done
}

data() {
	sed 's/.*"structured_data":\(.*\),"handle_refs".*/\1/' "$1"
}

@test "killed anywhere: nothing lost, nothing twice, the same output (cases G23)" {
	flows=50
	[ -z "${WV_LONG:-}" ] || flows=1000
	killed=0
	for ((seed = 1; seed <= flows; seed++)); do
		jobs=$((1 + seed % 3))
		awk -v seed=$seed -v fails=$((jobs == 1)) \
			-f "$BATS_TEST_DIRNAME/data/flow/random.awk" >flow.yaml
		reran=()
		: >starts
		leg 30 --input '{"list":[1,2]}'
		[ "$status" -lt 2 ] || { cat flow.yaml err; false; }
		data out >want
		want_status=$status
		sort starts >want.starts

		: >starts
		newest
		was=$id
		leg 0.0$(((seed * 7919) % 50 + 10)) --input '{"list":[1,2]}'
		if [ "$status" = 137 ]; then
			killed=$((killed + 1))
			newest
			if [ "$id" = "$was" ]; then # it never began
				leg 30 --input '{"list":[1,2]}'
			else
				resume 0.0$(((seed * 6101) % 50 + 10))
			fi
		fi
		[ "$status" = "$want_status" ] || { cat flow.yaml err; false; }
		diff want <(data out) || { cat flow.yaml; false; }
		# no step twice but those that are idempotent or were named
		sort starts | uniq -c | while read -r n step; do
			[ "$n" -gt "$(grep -cx "$step" want.starts)" ] || continue
			[[ " ${reran[*]:-} " == *" $step "* ]] ||
				grep -A6 "id: $step$" flow.yaml | sed 1,1d | sed '/- id/,$d' |
				grep -q idempotent || { echo "$step twice"; cat flow.yaml; exit 1; }
		done
	done
	echo "# $killed of $flows were killed" >&3
	[ "$killed" -gt $((flows / 5)) ]
	sound
	# each leg that was not killed has one end
	[ "$(grep -cE '"event_type":"flow_(completed|failed)"' "$WV_STATE/audit.jsonl")" = "$((2 * flows))" ]
}
