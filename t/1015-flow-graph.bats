#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow --graph and --capability: a flow for people, and for what routes and
# authorizes; and a flow of a real task.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
	use_state
	export KERNEL_LOG=kernel.log
}

# a flow of each kind of step, in the order that the filter makes
flow() {
	printf 'version: 1\nname: end\nsteps: [{id: x, capability: t.x}, {id: y-y, capability: t.w, needs: [x]}]\n' >inner.yaml
	{
		printf 'version: 1\nname: all\nrevision: "1.2"\ndescription: Does all.\ninput_schema: {type: object}\noutput_schema: {}\nsteps:\n'
		sort "$@" <<-'END'
			- {id: end, capability: t.x, needs: [both], finally: true}
			- {id: both, flow: inner.yaml, needs: [left, right], run_when: any_success}
			- {id: right, capability: t.r, on_error: {fallback: t.w}}
			- {id: left, capability: t.l, if: {from: /input, is: {}}, retry: {max: 1}, for_each: {from: /input/x, default: []}, on_error: continue}
		END
	} >flow.yaml
}

@test "--graph text" {
	flow
	wv-flow --graph text flow.yaml >out
	diff -u - out <<-'END'
		flow all
		left: t.l (if, for each, retry, may fail)
		right: t.r (fallback)
		both: flow.end (any success) <- left, right
		end: t.x (finally) <- both
	END
	flow -r
	wv-flow --graph text flow.yaml | diff -u out -
}

@test "--graph dot" {
	flow
	wv-flow --graph dot flow.yaml >out
	diff -u - out <<-'END'
		digraph "all" {
		    node [shape=box];
		    "left" [label="left\nt.l\n(if, for each, retry, may fail)", style=dashed];
		    "right" [label="right\nt.r\n(fallback)"];
		    "both" [label="both\nflow.end\n(any success)", peripheries=2];
		    "left" -> "both";
		    "right" -> "both";
		    "end" [label="end\nt.x\n(finally)"];
		    "both" -> "end";
		}
	END
}

@test "--graph mermaid: no word of its own is an id" {
	flow
	wv-flow --graph mermaid flow.yaml >out
	diff -u - out <<-'END'
		%% flow all
		flowchart TD
		    s0["left<br>t.l<br>(if, for each, retry, may fail)"]
		    s1["right<br>t.r<br>(fallback)"]
		    s2[["both<br>flow.end<br>(any success)"]]
		    s0 --> s2
		    s1 --> s2
		    s3["end<br>t.x<br>(finally)"]
		    s2 --> s3
	END
}

@test "--graph: what is no flow, and no format" {
	printf 'version: 1\nname: a\nsteps: [{id: a, capability: t.a, needs: [a]}]\n' >bad.yaml
	run -1 --separate-stderr wv-flow --graph text bad.yaml
	[ -z "$output" ]
	# shellcheck disable=SC2154 # run sets it
	[[ "$stderr" == *'bad.yaml:3:42: cycle: a -> a (a step needs itself)' ]]
	fails_with 2 "text, dot, mermaid" wv-flow --graph svg bad.yaml
}

tools() {
	printf 'version: 1\ntools:\n' >tools.yaml
	local safety id
	for id; do
		safety=${id#*=}
		printf -- '- {capability: %s, source: exec, command: [id], %s}\n' \
			"${id%%=*}" "${safety/=/: }" >>tools.yaml
	done
}

@test "--capability: a Capability with its CompiledFlow" {
	flow
	tools t.x=read_only=true t.r=read_only=true t.l=read_only=true t.w=writes=true
	wv-flow --capability -T tools.yaml flow.yaml inner.yaml >out
	wv-validate -t capability out >/dev/null
	jq -c .metadata.x_wv_compiled_flow out >compiled
	wv-validate -t compiled_flow compiled >/dev/null
	diff -u - <(jq -c '.metadata.x_wv_fingerprint |= length' out) <<-'END'
		{"id":"flow.all","name":"all","version":"1.2","description":"Does all.","tags":["flow"],"metadata":{"x_wv_input_schema":{"type":"object"},"x_wv_output_schema":{},"x_wv_safety":"write","x_wv_fingerprint":64,"x_wv_compiled_flow":{"flow_id":"flow.all","name":"all","version":"1.2","description":"Does all.","tool_dependencies":["t.l","t.r","t.w","t.x"],"side_effects":["t.w"],"requires_authorization":true,"metadata":{"x_wv_steps":6}}}}
		{"id":"flow.end","name":"end","version":"1","description":"end","tags":["flow"],"metadata":{"x_wv_safety":"write","x_wv_fingerprint":64,"x_wv_compiled_flow":{"flow_id":"flow.end","name":"end","version":"1","description":"end","tool_dependencies":["t.x","t.w"],"side_effects":["t.w"],"requires_authorization":true,"metadata":{"x_wv_steps":2}}}}
	END
}

@test "--capability: what it changes is told only where it is known" {
	flow
	wv-flow --capability flow.yaml >out
	jq -e '.metadata | has("x_wv_safety") or (.x_wv_compiled_flow | has("side_effects")) | not' out >/dev/null
	tools t.x=read_only=true t.w=read_only=true
	wv-flow --capability -T tools.yaml inner.yaml |
		jq -e '.metadata.x_wv_safety == "read"' >/dev/null
	tools t.x=read_only=true t.w=safety=destructive
	wv-flow --capability -T tools.yaml inner.yaml |
		jq -e '.metadata.x_wv_safety == "destructive"' >/dev/null
}

@test "--capability: the fingerprint is that of all files, however they are laid out" {
	print() { wv-flow --capability "$1" | jq -r .metadata.x_wv_fingerprint; }
	flow
	first=$(print flow.yaml)
	printf '# a word\n' >>inner.yaml
	[ "$(print flow.yaml)" = "$first" ]
	sed -i 's/t\.w/t.v/' inner.yaml
	[ "$(print flow.yaml)" != "$first" ]
}

@test "a flow can be routed to, and takes what was chosen" {
	printf 'version: 1\nname: notes\ndescription: Write notes.\nsteps: [{id: a, capability: t.echo, arguments: {x: {from: /input/x}}}]\n' >flow.yaml
	wv-flow --capability flow.yaml >flows.jsonl
	wv-route -c flows.jsonl -e 'write the notes' --choose top --arguments '{"x":1}' |
		timeout 20 wv-flow flow.yaml --kernel "bash '$BATS_TEST_DIRNAME/data/flow/kernel.bash'" >out
	jq -e '.capability_id == "flow.notes" and .structured_data.a.got.x == 1' out >/dev/null
}

# a repository with commits of these subjects between two tags
repository() {
	git init -q repository
	(
		cd repository
		export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
		export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
		git commit -q --allow-empty -m start
		git tag v1
		local subject
		for subject; do
			git commit -q --allow-empty -m "$subject"
		done
		git tag v2
	)
}

@test "the example: release notes from a git repository" {
	command -v git >/dev/null || skip "no git"
	wv-call --lint "$top_srcdir/share/examples/release-notes-tools.yaml"
	local examples="$top_srcdir/share/examples"
	export WV_TOOLS="$examples/release-notes-tools.yaml"
	export WV_POLICY="$examples/policy.yaml" WV_TOKEN=token.json
	repository 'parser: numbers are "exact"' 'cli: a \new option' \
		'parser: faster' '-n is gone' "one$(printf '\t')tab"
	wv-token issue --principal agent-demo --scope 'org.demo.*' --ttl 1h >token.json
	wv-flow --lint --strict -T "$WV_TOOLS" -k token.json "$examples/release-notes.yaml"
	timeout 60 wv-flow "$examples/release-notes.yaml" -j 2 \
		--input "{\"repository\":\"$PWD/repository\",\"range\":\"v1..v2\"}" >out
	jq -r '.structured_data.sections[].lines[]' out | tr '\t' '|' >notes
	diff -u - notes <<-'END'
		## cli
		- a \new option
		## other
		- -n is gone
		- one|tab
		## parser
		- numbers are "exact"
		- faster
	END
	# nothing has changed: no notes, and no failure
	timeout 60 wv-flow "$examples/release-notes.yaml" \
		--input "{\"repository\":\"$PWD/repository\",\"range\":\"v2..v2\"}" >out
	jq -e '.structured_data.sections == []' out >/dev/null
	wv-trace verify --lifecycle >/dev/null
}
