#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-call and servers that others wrote, from npm, at fixed versions.  They go
# to $WV_TEST_CACHE if that is set, and are fetched once.

load lib
load mcp

setup_file() {
	local version=2026.8.31
	local cache="${WV_TEST_CACHE:-$BATS_FILE_TMPDIR}/mcp-servers-$version"

	export servers="$cache/node_modules/@modelcontextprotocol" missing=
	[ ! -e "$cache/whole" ] || return 0
	mkdir -p "$cache"
	fetch "$cache" "$version" >"$BATS_FILE_TMPDIR/npm.log" 2>&1 ||
		missing="no servers from npm: $(head -n 1 "$BATS_FILE_TMPDIR/npm.log")"
	[ -z "$missing" ] || echo "# skipped: $missing" >&3
}

# fetch FOLDER VERSION
fetch() {
	local name packages=()

	for name in everything filesystem memory; do
		packages+=("@modelcontextprotocol/server-$name@$2")
	done
	command -v node >/dev/null && timeout 120 npm install --prefix "$1" \
		--ignore-scripts --no-audit --no-fund --no-update-notifier \
		--loglevel=error --fetch-retries=1 --fetch-timeout=20000 \
		"${packages[@]}" && : >"$1/whole"
}

setup() {
	[ -z "$missing" ] || skip "$missing"
	use_tools
}

teardown() {
	local left
	left=$(grep -l -a -F "$servers" /proc/[0-9]*/cmdline 2>/dev/null) || return 0
	echo "left: $left"
	return 1
}

# tool SERVER NAME [WORD [MORE]]: the capability is called NAME
tool() {
	printf '  - {capability: org.demo.%s, source: mcp, tool: %s, server: {command: [%s, %s/server-%s/dist/index.js%s], env: [MEMORY_FILE_PATH]}%s}\n' \
		"$2" "$2" "$(command -v node)" "$servers" "$1" "${3:+, $3}" \
		"${4-}" >>tools.yaml
}

@test "everything: texts, structures, images, links, progress, refusals" {
	for name in echo get-sum get-structured-content get-tiny-image \
		get-resource-links get-resource-reference get-env \
		trigger-long-running-operation simulate-research-query; do
		tool everything "$name"
	done
	WV_SECRET=1 decided echo '{"message":"h\u00e9llo\n\"x\""}' \
		get-sum '{"a":2,"b":40.5}' \
		get-structured-content '{"location":"Chicago"}' \
		get-tiny-image '{}' get-resource-links '{"count":2}' \
		get-resource-reference '{"resourceType":"Text","resourceId":1}' \
		get-env '{}' trigger-long-running-operation '{"duration":0.1,"steps":3}' \
		get-sum '{"a":"two","b":40}' get-structured-content '{}' \
		simulate-research-query '{"topic":"x"}'
	WV_SECRET=1 calls 1
	line 1 'Echo: héllo' '\"x\"'
	line 2 42.5
	line 3 '"structured_data":{"temperature":'
	line 4 '"mimeType":"image/png"'
	line 5 '"type":"resource_link"'
	line 6 '"type":"resource"'
	line 7 LANG
	refute_line 7 WV_SECRET
	line 8 'Long running operation completed'
	fails 9 schema_validation 'arguments/a: must be a number'
	fails 10 schema_validation 'location'
	# that one wants to be a task
	line 11 '"error_class":"execution"'
}

@test "everything: discovered, locked, called under the lock" {
	tool everything echo '' ', read_only: true'
	tool everything get-sum
	wv-call -T tools.yaml --discover --refresh >capabilities
	[ "$(wc -l <capabilities)" = 2 ]
	grep -q '"message"' capabilities
	wv-call -T tools.yaml --lock lock.json --lock-write
	decided echo '{"message":"hi"}' get-sum '{"a":1,"b":2}'
	calls 1 --lock lock.json --read-only
	line 1 'Echo: hi'
	fails 2 access_denied read-only
}

@test "filesystem: inside its folder, and not outside" {
	mkdir inside
	echo secret >outside
	for name in write_file read_text_file list_directory; do
		tool filesystem $name "$PWD/inside"
	done
	decided write_file "{\"path\":\"$PWD/inside/a\",\"content\":\"one\\ntwo\\n\"}" \
		read_text_file "{\"path\":\"$PWD/inside/a\"}" \
		list_directory "{\"path\":\"$PWD/inside\"}" \
		read_text_file "{\"path\":\"$PWD/outside\"}"
	calls 1
	[ "$(cat inside/a)" = $'one\ntwo' ]
	line 2 'two'
	line 3 '[FILE] a'
	fails 4 execution 'Access denied'
}

@test "filesystem: the example of a tools file" {
	mkdir notes
	sed "s|npx, -y, [^,]*@[0-9.]*\"|$(command -v node), $servers/server-filesystem/dist/index.js|" \
		"$top_srcdir/share/examples/tools-mcp.yaml" >tools.yaml
	run -1 grep npx, tools.yaml
	wv-call --lint tools.yaml
	wv-call -T tools.yaml --discover --refresh >capabilities 2>err
	[ ! -s err ]
	[ "$(grep -c x_wv_input_schema capabilities)" = 7 ]
	[ "$(jq -r 'select(.id == "org.demo.has_todo").metadata.x_wv_safety' capabilities)" = read ]
	decided has_todo '{}' write_note '{"path":"todo.md","content":"rest"}' \
		has_todo '{}' list_notes '{"path":"."}' read_todo '{}'
	calls 1
	line 1 '"passed":false'
	line 3 '"passed":true'
	line 4 'todo.md'
	line 5 'rest'
	grep -q '"changes":\[{"resource":"notes","path":"todo.md","change":"created"' \
		"$WV_STATE/audit.jsonl"
}

@test "memory: what one call makes, the next one reads" {
	export MEMORY_FILE_PATH="$PWD/memory.jsonl"
	for name in create_entities read_graph; do
		tool memory $name
	done
	decided create_entities '{"entities":[{"name":"n","entityType":"t","observations":["o"]}]}' \
		read_graph '{}'
	calls 0
	line 1 '"entityType":"t"'
	line 2 '"observations":["o"]'
	grep -q '"n"' memory.jsonl
}
