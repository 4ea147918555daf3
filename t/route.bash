# SPDX-License-Identifier: Apache-2.0
# Catalogues for wv-route, and what it chose: `load route` after lib.
# shellcheck shell=bash

# cap ID NAME DESCRIPTION [MEMBERS]: a Capability line
cap() {
	printf '{"id":"%s","name":"%s","version":"1","description":"%s"%s}\n' \
		"$1" "$2" "$3" "${4:+,$4}"
}

# items <DECISIONS: the ids of their items, in order
items() {
	grep -o '{"id":"[^"]*","label"' | sed 's/{"id":"//; s/","label"//'
}

# top QUERY: the first choice from cat.jsonl
top() {
	wv-route -c cat.jsonl -e "$1" | items | head -n 1
}
