#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-flow --lint: what is wrong with a flow is told before anything runs, all
# of it, each with its place.

load lib

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# flow NAME <STEPS: a flow file NAME.yaml, whose steps begin in line 4
flow() {
	{
		printf 'version: 1\nname: %s\nsteps:\n' "$1"
		sed 's/^/  - /'
	} >"$1.yaml"
}

# lints STATUS ARG… <LINES: what --lint says to these arguments, without the
# name of the tool
lints() {
	local want=$1
	shift
	run "-$want" --separate-stderr timeout 30 wv-flow --lint "$@"
	[ -z "$output" ]
	# shellcheck disable=SC2154 # run sets it
	diff -u - <(printf '%s' "$stderr${stderr:+$'\n'}" | sed 's/^wv-flow: //')
}

@test "a flow that is right: nothing is told" {
	flow right <<-'END'
		{id: a, capability: t.a, timeout: 5s, deadline: 1m, retry: {max: 3, backoff: 1s, factor: 1.5, max_backoff: 5s, errors: [timeout]}}
		{id: b, capability: t.b, needs: [a], run_when: none_failed, on_error: {fallback: t.c}, if: [{from: /steps/a/summary, is: {type: string}}, {from: /input/x, not: {const: 1}, default: 2}]}
		{id: c, capability: t.c, needs: [b], for_each: {from: /steps/b/structured_data/items, default: [], max_parallel: 4, fail_fast: false}, arguments: {x: {from: /item/name}, w: {value: {from: 1}}, z: {from: /steps/a/structured_data, default: {from: /nowhere}}}}
		{id: d, capability: t.d, finally: true, idempotent: true, needs: [c], run_when: always}
	END
	wv-flow --lint right.yaml 2>err
	[ ! -s err ]
}

@test "what the form does not know, all of it" {
	flow form <<-'END'
		{id: a, capabilty: t.a}
		{id: b, capability: t.a, flow: x.yaml}
		{id: c c, capability: t.a, if: [], retry: {max: 0, errors: [access_denied]}}
		{id: d, capability: t.a, run_when: alway, timeout: 5}
		{id: e, capability: t.a, if: {from: /input, is: {}, not: {}}, for_each: {from: x}}
		{id: f, capability: t.a, needs: [a, a], on_error: stop, x_note: fine}
	END
	lints 1 form.yaml <<-'END'
		form.yaml:4:5: /steps/0: needs capability, or flow
		form.yaml:4:24: /steps/0/capabilty: unknown member "capabilty" (did you mean "capability"?)
		form.yaml:5:5: /steps/1: must have only one of: capability, or flow
		form.yaml:6:10: /steps/2/id: must match the pattern ^[A-Za-z0-9_-]+$
		form.yaml:6:36: /steps/2/if: must have at least 1 item
		form.yaml:6:53: /steps/2/retry/max: must be at least 1
		form.yaml:6:65: /steps/2/retry/errors/0: must be one of "checkpoint_required", "not_activated", "activation", "execution", "deactivation", "timeout", "cancelled"
		form.yaml:7:40: /steps/3/run_when: must be one of "all_success", "all_done", "any_success", "none_failed", "always" (did you mean "always"?)
		form.yaml:7:56: /steps/3/timeout: must be a string, not a number
		form.yaml:8:34: /steps/4/if: must have only one of: is, or not
		form.yaml:8:84: /steps/4/for_each/from: must match the pattern ^(/([^~/]|~[01])*)*$
		form.yaml:9:37: /steps/5/needs: must not have two equal items, as 0 and 1 are
		form.yaml:9:55: /steps/5/on_error: must be one of "fail", "continue"
	END
	printf 'version: 1\nname: none\nsteps: []\n' >none.yaml
	lints 1 none.yaml <<-'END'
		none.yaml:3:8: /steps: must have at least 1 item
	END
}

@test "cases: a cycle is printed; ids that are there twice or not at all" {
	flow cycle <<-'END'
		{id: a, capability: t.a, needs: [c]}
		{id: b, capability: t.a, needs: [a]}
		{id: c, capability: t.a, needs: [b]}
		{id: d, capability: t.a, needs: [d]}
	END
	flow ids <<-'END'
		{id: fetch, capability: t.a}
		{id: fetch, capability: t.a}
		{id: build, capability: t.a, needs: [fetsh, elephant]}
		{id: tidy, capability: t.a, finally: true}
		{id: last, capability: t.a, needs: [tidy]}
	END
	lints 1 cycle.yaml ids.yaml <<-'END'
		cycle.yaml:5:37: cycle: a -> c -> b -> a
		cycle.yaml:7:38: cycle: d -> d (a step needs itself)
		ids.yaml:5:10: duplicate step "fetch": it is the id of step 1 too
		ids.yaml:6:42: step "build" needs "fetsh", which does not exist, did you mean "fetch"?
		ids.yaml:6:49: step "build" needs "elephant", which does not exist
		ids.yaml:8:40: step "last" needs "tidy", which is taken after all others (finally)
	END
}

@test "references lead to what comes before, and to what is there" {
	cat >refs.yaml <<-'END'
		version: 1
		name: refs
		input_schema:
		  type: object
		  required: [word]
		  properties: {word: {type: string}, more: {type: object, properties: {x: {}}, additionalProperties: false}}
		steps:
		- {id: a, capability: t.a, arguments: {a: {from: /input/word/0}, b: {from: /input/wrod}, c: {from: /input/more}, d: {from: /input/more/y, default: 1}}}
		- {id: b, capability: t.a, arguments: {a: {from: /steps/a/summary}}}
		- {id: c, capability: t.a, needs: [a], arguments: {list: [1, {a/b: {from: /steps/a/sumary}}], x: {from: /steps/aa/summary}}}
		- {id: d, capability: t.a, needs: [c], arguments: {a: {from: /steps/a/summary}, b: {from: /steps/d}}}
		- {id: e, capability: t.a, arguments: {a: {from: word}, b: {handle: 7}, c: {from: /input, also: 1}, d: {from: /item}, e: {from: /output}}}
		- {id: f, capability: t.a, if: {from: /steps/a/summary, is: {}}, for_each: {from: /item}, arguments: {value: 1}}
		outputs: {x: {from: /steps/zz}, z: {from: /steps/b/handle_refs/0}, h: {handle: /steps/b/handle_refs/0}}
	END
	lints 1 refs.yaml <<-'END'
		refs.yaml:8:69: warning: /input/wrod: input_schema does not tell of "wrod", did you mean "word"?
		refs.yaml:8:93: warning: /input/more: input_schema does not require "more", and there is no default
		refs.yaml:8:117: /input/more/y: input_schema has no member "y"
		refs.yaml:9:43: /steps/a/summary: step "a" does not come before "b": it has to be in needs
		refs.yaml:10:68: /steps/a/sumary: a step has no member "sumary", did you mean "summary"?
		refs.yaml:10:98: /steps/aa/summary: there is no step "aa"
		refs.yaml:11:84: /steps/d: step "d" does not come before "d": it has to be in needs
		refs.yaml:12:43: from needs a JSON pointer such as /input/name; an object that is meant as it is, is {value: …}
		refs.yaml:12:60: handle needs a JSON pointer such as /input/name; an object that is meant as it is, is {value: …}
		refs.yaml:12:76: a reference has no member but from or handle, and default; an object that is meant as it is, is {value: …}
		refs.yaml:12:104: /item: there is an item only in the arguments of a step with for_each
		refs.yaml:12:122: /output: a reference begins with /input or /steps/ID
		refs.yaml:13:39: /steps/a/summary: step "a" does not come before "f": it has to be in needs
		refs.yaml:13:83: /item: there is an item only in the arguments of a step with for_each
		refs.yaml:13:102: {value: …} has to be an object here: a member that is called value is {value: {value: …}}
		refs.yaml:14:14: /steps/zz: there is no step "zz"
		refs.yaml:14:71: handle is for arguments: what is stored goes to tools only
	END
}

@test "schemas and times that do not mean what they say" {
	cat >odd.yaml <<-'END'
		version: 1
		name: odd
		deadline: 10s
		input_schema: {type: object, required: [a], properties: {b: {}}, additionalProperties: false}
		output_schema: {tpye: object}
		steps:
		- {id: a, capability: t.a, if: {from: /input/b, default: 1, is: {minimum: x}}}
		- {id: b, capability: t.a, timeout: 5s, deadline: 3s}
		- {id: c, capability: t.a, deadline: 1m, retry: {max: 1, backoff: 2m}}
		- {id: d, capability: t.a, timeout: 0s}
	END
	lints 1 odd.yaml <<-'END'
		odd.yaml:4:40: warning: input_schema/required: needs "a", which "additionalProperties" refuses
		odd.yaml:5:23: /output_schema: /tpye: keyword is not supported (did you mean "type"?)
		odd.yaml:7:75: /steps/0/if/is: /minimum: must be a number
		odd.yaml:8:37: warning: step "b": its timeout is longer than its deadline
		odd.yaml:9:38: warning: step "c": its deadline is longer than the flow's
		odd.yaml:9:67: warning: step "c": its first backoff is longer than its deadline: it is never taken again
		odd.yaml:10:37: timeout: "0s" is no duration
	END
}

tools() {
	cat >tools.yaml <<-'END'
		version: 1
		tools:
		- capability: t.read
		  source: exec
		  command: [cat, "{file}"]
		  read_only: true
		  input_schema:
		    type: object
		    required: [file, mode]
		    properties:
		      file: {type: string, maxLength: 5}
		      mode: {anyOf: [{const: a}, {const: b}]}
		      lines: {type: [integer, "null"]}
		      list: {type: array, items: {type: string}, maxItems: 2}
		    additionalProperties: false
		- {capability: t.write, source: exec, command: [touch, x], writes: true}
		- capability: t.choice
		  source: exec
		  command: [id]
		  read_only: true
		  input_schema:
		    properties: {p: {oneOf: [{required: [a]}, {required: [b]}]}}
		    anyOf: [{required: [x]}, {properties: {kind: {const: m}}, required: [kind]}]
		    if: {properties: {kind: {const: z}}}
		    then: {required: [z]}
	END
}

@test "with -T: arguments that the tools would refuse, as far as that is certain" {
	tools
	cat >args.yaml <<-'END'
		version: 1
		name: args
		input_schema: {type: object, required: [num, s], properties: {num: {type: number}, s: {type: string}, o: {type: boolean}}}
		steps:
		- {id: a, capability: t.read, arguments: {file: {from: /input/num}, mode: a, lines: {from: /input/s}, fiel: 1}}
		- {id: b, capability: t.read, arguments: {file: {value: toolong}, mode: {from: /input/s}, lines: {from: /input/num}, list: [{from: /input/s}, 7, x]}}
		- {id: c, capability: t.read, arguments: {file: x, mode: c, list: {from: /steps/a/handle_refs, default: x}, lines: {from: /steps/a/summary}}, needs: [a]}
		- {id: d, capability: t.read}
		- {id: e, capability: t.read, arguments: {from: /input}}
		- {id: f, capability: t.raed, on_error: {fallback: t.write}}
		- {id: g, capability: t.write, on_error: {fallback: t.read}, retry: {max: 1}, arguments: {mode: a}}
		- {id: h, capability: t.write, retry: {max: 1}, idempotent: true}
		- {id: i, capability: t.choice, arguments: {kind: {from: /input/s}, p: {b: 1}}}
		- {id: j, capability: t.choice, arguments: {kind: m, p: {c: {from: /input/s}}}}
		- {id: k, capability: t.choice, arguments: {kind: z, p: {c: 1}, q: {from: /input/s}}}
	END
	lints 1 -T tools.yaml args.yaml <<-'END'
		args.yaml:5:49: t.read: /file: needs string, and /input/num is number
		args.yaml:5:85: t.read: /lines: needs null or integer, and /input/s is string
		args.yaml:5:109: t.read: /fiel: unknown member "fiel"
		args.yaml:6:49: t.read: /file: must have at most 5 characters
		args.yaml:6:124: t.read: /list: must have at most 2 items
		args.yaml:6:143: t.read: /list/1: must be a string, not a number
		args.yaml:7:58: t.read: /mode: must be one of "a", "b"
		args.yaml:7:67: t.read: /list: must be an array, not a string
		args.yaml:7:116: t.read: /lines: needs null or integer, and /steps/a/summary is string
		args.yaml:8:3: t.read: needs file
		args.yaml:8:3: t.read: needs mode
		args.yaml:10:23: no tool serves "t.raed", did you mean "t.read"?
		args.yaml:11:69: warning: step "g" may be taken again, and t.write is not known to change nothing: idempotent: true, if that does no harm
		args.yaml:11:90: t.read: needs file
		args.yaml:15:57: t.choice: /p: needs a, or b
	END
}

@test "a step that is a flow: its arguments, and what its outputs are" {
	cat >inner.yaml <<-'END'
		version: 1
		name: inner
		input_schema: {type: object, required: [word], properties: {word: {type: string}}, additionalProperties: false}
		output_schema: {type: object, required: [lines], properties: {lines: {type: integer}}}
		steps: [{id: a, capability: t.a, arguments: {name: {from: /input/word}}}]
		outputs: {line: 1}
	END
	cat >outer.yaml <<-'END'
		version: 1
		name: outer
		output_schema: {type: object, properties: {lines: {type: string}}}
		steps:
		- {id: one, flow: inner.yaml, arguments: {x: 1}}
		- {id: two, flow: ./inner.yaml, needs: [one], arguments: {word: {from: /steps/one/structured_data/lines}}}
		outputs: {lines: {from: /steps/two/structured_data/lines}}
	END
	lints 1 outer.yaml <<-'END'
		outer.yaml:5:42: flow.inner: needs word
		outer.yaml:5:46: flow.inner: /x: unknown member "x"
		outer.yaml:6:65: flow.inner: /word: needs string, and /steps/one/structured_data/lines is integer
		outer.yaml:7:18: output_schema: /lines: needs string, and /steps/two/structured_data/lines is integer
		inner.yaml:6:10: output_schema: needs lines
	END
}

@test "flows of files: a cycle, one that is not there, one that is no flow" {
	mkdir in
	flow a <<<'{id: a, flow: in/b.yaml}'
	(cd in && flow b <<<'{id: b, flow: ../a.yaml}')
	flow lost <<-'END'
		{id: a, flow: nowhere.yaml}
		{id: b, flow: broken.yaml}
		{id: c, flow: wrong.yaml}
	END
	printf 'a: [\n' >broken.yaml
	printf 'version: 2\n' >wrong.yaml
	lints 1 a.yaml lost.yaml <<-'END'
		in/b.yaml:4:19: cycle of flows: a.yaml -> in/b.yaml -> a.yaml
		lost.yaml:4:19: there is no file nowhere.yaml
		lost.yaml:5:19: broken.yaml:2:1: did not find expected node content while parsing a flow node (from line 2)
		wrong.yaml:1:1: needs name
		wrong.yaml:1:1: needs steps
		wrong.yaml:1:10: /version: must be 1
	END
}

@test "steps that are never taken" {
	flow never <<-'END'
		{id: a, capability: t.a, if: {from: /input, is: false}}
		{id: b, capability: t.a, needs: [a], arguments: {x: {from: /steps/a/summary}}}
		{id: c, capability: t.a, needs: [a], arguments: {x: {from: /steps/a/summary, default: none}}}
		{id: d, capability: t.a, needs: [a, b], run_when: any_success}
		{id: e, capability: t.a, needs: [a, c], run_when: any_success}
		{id: f, capability: t.a, if: {from: /input, not: {}}}
		{id: g, capability: t.a, needs: [c], if: {from: /steps/c/summary, is: {type: [number, object]}}}
		{id: h, capability: t.a, needs: [c], if: {from: /steps/c/summary, is: {type: object}, default: {}}}
	END
	lints 0 never.yaml <<-'END'
		never.yaml:4:5: warning: step "a" is never taken: its condition never holds
		never.yaml:5:5: warning: step "b" is never taken: it uses "a", which is never taken
		never.yaml:7:5: warning: step "d" is never taken: nothing that it needs is ever taken
		never.yaml:9:5: warning: step "f" is never taken: its condition never holds
		never.yaml:10:5: warning: step "g" is never taken: its condition never holds
	END
	run -1 wv-flow --lint --strict never.yaml
}

@test "with -k: tokens that cannot be enough" {
	printf '{"token_id":"t%s","scope":["%s"],"single_use":%s}\n' \
		1 t.one true 2 't.two.*' true 3 t.two.x true 4 t.all false >tokens.jsonl
	flow none <<<'{id: a, capability: t.other}'
	flow two <<-'END'
		{id: a, capability: t.one}
		{id: b, capability: t.one}
	END
	flow maybe <<-'END'
		{id: a, capability: t.one, retry: {max: 2}}
		{id: b, capability: t.all, retry: {max: 9}}
		{id: c, capability: t.all}
	END
	flow total <<-'END'
		{id: a, capability: t.two.x}
		{id: b, capability: t.two.y}
		{id: c, capability: t.two.x}
	END
	flow enough <<-'END'
		{id: a, capability: t.two.x}
		{id: b, capability: t.two.y}
	END
	lints 1 -k tokens.jsonl none.yaml two.yaml maybe.yaml total.yaml enough.yaml <<-'END'
		none.yaml:4:5: no token covers t.other
		two.yaml:4:5: t.one is called 2 times, and there are 1 single-use tokens for it
		maybe.yaml:4:5: warning: t.one may be called 3 times or more, and there are 1 single-use tokens for it
		total.yaml:4:3: 3 calls need a single-use token each, and there are 2
	END
}

@test "limits: steps, bytes, flows within flows" {
	flow in <<<'{id: a, capability: t.a}'
	flow mid <<<'{id: a, flow: in.yaml}'
	flow top <<-'END'
		{id: a, flow: mid.yaml}
		{id: b, flow: mid.yaml}
	END
	lints 0 --max-steps 6 --max-flow-depth 3 top.yaml </dev/null
	lints 1 --max-steps 5 top.yaml <<-'END'
		top.yaml:4:3: more than 5 steps (--max-steps)
	END
	lints 1 --max-flow-depth 2 top.yaml <<-'END'
		mid.yaml:4:19: flows are nested more than 2 deep (--max-flow-depth)
	END
	lints 1 --max-flow 64 in.yaml top.yaml <<-'END'
		top.yaml:1:1: more than 64 bytes (--max-flow)
	END
	fails_with 2 "'0' is not a whole number" wv-flow --lint --max-steps 0 top.yaml
	# a file that is refused for its size is not looked into
	yes -- '- {id: a, capability: t.a}' | head -n 10001 |
		sed '1i version: 1\nname: many\nsteps:' >many.yaml
	lints 1 many.yaml <<-'END'
		many.yaml:4:1: more than 10000 steps (--max-steps)
	END
}

@test "a chain of 10,000 steps is judged in linear time" {
	awk 'BEGIN {
		print "{\"version\":1,\"name\":\"chain\",\"steps\":[{\"id\":\"s0\",\"capability\":\"t.a\"}"
		for (i = 1; i < 10000; i++)
			printf ",{\"id\":\"s%d\",\"capability\":\"t.a\",\"needs\":[\"s%d\"],\"arguments\":{\"x\":{\"from\":\"/steps/s%d/summary\"},\"y\":{\"from\":\"/steps/s0/summary\"}}}\n", i, i - 1, i - 1
		print "]}"
	}' >chain.json
	timeout 20 wv-flow --lint chain.json
}

@test "reports: every format has the faults; a file that cannot be read" {
	flow bad <<<'{id: a, capability: t.a, needs: [b]}'
	flow good <<<'{id: a, capability: t.a}'
	run -1 wv-flow --lint -f json=json -f sarif=sarif -f junit=junit -f tap=tap \
		-f github=github -f text=text bad.yaml good.yaml
	grep -qF '"rule":"unknown-step"' json
	grep -qF '"ruleId":"unknown-step"' sarif
	grep -q '<testcase[^>]*name="[^"]*bad' junit
	grep -q '^not ok 1' tap
	grep -q '^ok 2' tap
	grep -q '^::error file=.*bad.yaml,line=4,col=38' github
	grep -q '^bad.yaml:4:38: /steps/0/needs/0: step "a" needs "b"' text
	grep -q '^2 records: 1 valid, 1 invalid' text
	run -2 --separate-stderr wv-flow --lint nowhere.yaml bad.yaml
	[ "${stderr%%$'\n'*}" = 'wv-flow: nowhere.yaml: cannot open: No such file or directory' ]
	[[ "$stderr" == *'bad.yaml:4:38: step "a" needs "b"'* ]]
	fails_with 2 'cannot open' wv-flow --lint -T nowhere.yaml good.yaml
	fails_with 2 'cannot open' wv-flow --lint -k nowhere.json good.yaml
}
