#!/usr/bin/env bash
# The lifecycle of a tool call, as a shell pipeline, on real input.
# `make demo` runs this; every command is printed before its output.
set -u -o pipefail
cd "$(dirname "$0")" || exit 2

unset WV_STATE WV_CATALOG WV_POLICY WV_TOOLS WV_TOKEN WV_KEYRING WV_PRINCIPAL
unset WV_IDS TRACEPARENT
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export WV_STATE=$work/state

cp policy.yaml flow.yaml "$work" || exit 2
# no licence texts here? then the project's own documentation
texts=/usr/share/common-licenses
if [ -e "$texts/GPL-3" ]; then
	cp tools.yaml "$work" || exit 2
else
	texts=$(cd ../.. && pwd)/doc
	sed "s|/usr/share/common-licenses|$texts|" tools.yaml >"$work/tools.yaml" || exit 2
fi
if [ -e "$texts/GPL-3" ]; then text=GPL-3 word=warranty; else text=HACKING word=layer; fi
cd "$work" || exit 2

# shows WANT COMMAND: prints a command, runs it, and checks its status
shows() {
	local want=$1
	printf '\n$ %s\n' "$2"
	eval "$2"
	local status=$?
	[ "$want" = 0 ] || printf '[status %d]\n' "$status"
	if [ "$status" != "$want" ]; then
		printf 'demo: status %d, expected %d\n' "$status" "$want" >&2
		exit 1
	fi
}
note() { printf '\n# %s\n' "$1"; }

note 'A token says what an agent may ask for, and until when.'
shows 0 'wv-token issue --principal agent-demo --scope "org.demo.*" --ttl 1h --out token.json'

note 'Route: which of the tools fits the question? (no schema text: only cards)'
shows 0 "wv-route -c tools.yaml -e 'what do the texts say about $word' -n 3 --menu"

note 'The whole lifecycle: route, authorize, call (with its firewall), answer.'
shows 0 "wv-route -c tools.yaml -e 'what do the texts say about $word' --choose top --arguments '{\"pattern\":\"$word\"}' |
    wv-authorize -p policy.yaml -k token.json -c tools.yaml |
    wv-call --allow-empty -T tools.yaml |
    wv-answer --allow-empty --budget 200"

note 'A flow of two steps; each goes through the kernel on its own.'
shows 0 "wv-flow flow.yaml -T tools.yaml -p policy.yaml -k token.json --input '{\"name\":\"$text\"}' | wv-answer"

note 'Failure 1: no tool matches. The record says so, and the status is 1.'
shows 1 "wv-route -c tools.yaml -e 'book a flight to Lisbon' --choose top |
    wv-authorize -p policy.yaml -k token.json |
    wv-call --allow-empty -T tools.yaml |
    wv-answer --allow-empty"

note 'Failure 2: denied. The model is told, and nothing ran.'
shows 1 "wv-route -c tools.yaml --pin org.demo.delete_file --arguments '{\"file\":\"$texts/$text\"}' |
    wv-authorize -p policy.yaml -k token.json |
    wv-call --allow-empty -T tools.yaml |
    wv-answer --allow-empty"

note 'Failure 3: the tool fails. Its error is a Frame like any other.'
shows 1 "wv-route -c tools.yaml --pin org.demo.count_lines --arguments '{\"file\":\"$texts/no-such-file\"}' |
    wv-authorize -p policy.yaml -k token.json |
    wv-call --allow-empty -T tools.yaml |
    wv-answer --allow-empty"

note 'The audit log knows all of it, and is whole.'
shows 0 'wv-trace --event denied'
shows 0 'wv-trace --outcome failure --count'
shows 0 'wv-trace verify'

note 'And one byte changed is found.'
shows 0 "sed -i '2s/agent-demo/agent-evil/' state/audit.jsonl"
shows 1 'wv-trace verify'
