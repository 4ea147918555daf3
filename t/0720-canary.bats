#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Secrets that were planted come out nowhere: no Frame, no report, no message,
# no reading of a Handle, no log.  They are made here, so that none stands in
# the repository.

load lib
load call

# core N: letters and digits that follow from N
core() {
	printf 'canary %s' "$1" | sha512sum | tr '0123456789abcdef' 'A3bC7dE1fG9hJ5kL'
}

# plant TEXT CORE…: one more, of which these parts may be seen nowhere
plant() {
	texts+=("$1")
	shift
	printf '%s\n' "$@" >>cores
}

# token PREFIX N: a secret of so many letters behind a prefix
token() {
	local c
	c=$(core "${#texts[@]}")
	c=${c:0:$2}
	plant "key $1$c" "${c:2:10}"
}

plant_tokens() {
	local g=gh s=sk
	token "${g}p_" 36
	token "${g}o_" 36
	token "${g}s_" 36
	token "glpat"-"" 20
	token "xox""b-1234567890-1234567890-" 24
	token "${s}_live_" 24
	token "whsec""_" 32
	token "${s}-proj-" 48
	token "${s}-ant-api03-" 93
	token "npm""_" 36
	token "hf""_" 34
	token "hvs""." 92
	token "AIza""" 35
	token "Authorization: Bearer " 32
	token "postgres://user:" 20
	texts[-1]+='@host/db'
	token "GET /x?access_token=" 24
	token "DB_PASSWORD=" 16
	token "api_key: " 24
	token "client_secret=" 24
	token "Cookie: sid=" 24
	token "secret_key = " 24
	token "aws_secret_access_key = " 40
	token "X-Api-Key: " 32
	token "mysql --password=" 16
}

plant_encoded() {
	local c g=gh
	c="${g}p_$(core base64)" c=${c:0:40}
	plant "data $(printf %s "$c" | base64 -w0)" "${c:8:10}" \
		"$(printf %s "$c" | base64 -w0 | cut -c12-30)"
	c="${g}p_$(core hex)" c=${c:0:40}
	plant "data $(printf %s "$c" | od -An -tx1 | tr -d ' \n')" \
		"$(printf %s "${c:8:10}" | od -An -tx1 | tr -d ' \n')"
	c="${g}p_$(core percent)" c=${c:0:40}
	plant "data %67${c:1}" "${c:8:10}"
	c="${g}p_$(core hidden)" c=${c:0:40}
	plant "data ${c:0:12}"$'\342\200\213'"${c:12}" "${c:14:10}"
	c=$(core nested)
	plant "{\"password\":\"${c:0:20}\"}" "${c:2:10}"
	c=$(core escaped)
	plant "log: {\"cmd\":\"export PASSWORD=\\\"${c:0:20}\\\"\"}" "${c:2:10}"
	c=$(printf 'user:%s' "$(core basic)" | head -c 24 | base64 -w0)
	plant "Authorization: Basic $c" "${c:8:12}"
	c=$(core jwt)
	plant "t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.${c:0:43}" "${c:2:10}"
}

plant_people() {
	local c
	c=$(core mail)
	plant "mail ${c:0:12}@corp.example" "${c:0:12}"
	c=$(core mails)
	plant "Bob <${c:0:12}@mail.corp.example>" "${c:0:12}"
	plant "card 4556 7375 ""8689 9855" '8689 9855'
	plant "phone +1 415-""867-5309" '867-5309'
	plant "ssn 536-""90-4398" '536-90-4398'
	plant "iban GB33 BUKB 2020 ""1555 5555 55" '1555 5555 55'
}

plant_keys() {
	local dashes='-----' c
	c=$(core rsa)
	plant "pem ${dashes}BEGIN RSA PRIVATE KEY$dashes"$'\n'"MII${c:0:60}"$'\n'"${dashes}END RSA PRIVATE KEY$dashes" \
		"${c:0:20}" "${c:30:20}"
	c=$(core cut)
	plant "pem ${dashes}BEGIN PRIVATE KEY$dashes"$'\n'"MII${c:0:60}"$'\n'"${c:64:50}" \
		"${c:0:20}" "${c:70:20}"
}

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	texts=()
	plant_tokens
	plant_encoded
	plant_people
	plant_keys
	[ "${#texts[@]}" -ge 40 ]
	# The key that is cut takes with it what follows.
	printf '%s\n' "${texts[@]}" >doc.txt
	jq -nc '{items: [$ARGS.positional | to_entries[] | {id: .key, v: .value}]}' \
		--args "${texts[@]}" >doc.json
	jq -c '.items[]' doc.json >doc.jsonl
}

# absent FILE…: no core is in any of them; each holds something
absent() {
	local file
	for file; do
		[ -s "$file" ] || { echo "empty: $file"; return 1; }
		if grep -nFf cores "$file"; then
			echo "leaked: $file"
			return 1
		fi
	done
}

@test "40 secrets: in no Frame, in no text" {
	for doc in doc.txt doc.json doc.jsonl; do
		[ "$(grep -cFf cores "$doc")" -ge 1 ]
		for mode in summary table handle_only; do
			wv-firewall -v --mode "$mode" --keep "$doc" 2>>err >"frame.$mode.$doc"
		done
		# A line is an output of its own, and a key has several.
		[ "$doc" = doc.txt ] ||
			wv-firewall --lines "$doc" >"frame.lines.$doc"
		wv-firewall -v -f text "$doc" 2>>err >"text.$doc"
		wv-firewall -v -f text --show "$doc" 2>>err >"show.$doc"
		wv-firewall --injection withhold -f text "$doc" >"withheld.$doc"
	done
	absent err frame.*.* text.* show.* withheld.* "$WV_STATE/audit.jsonl"
	wv-answer <frame.summary.doc.json >answer || true
	absent answer
	jq -se 'length == 1' text.doc.json
}

@test "40 secrets: in no report" {
	for doc in doc.txt doc.json doc.jsonl; do
		wv-firewall -v --check -f text=r1 -f json=r2 -f junit=r3 -f tap=r4 \
			-f sarif=r5 -f github=r6 -f verdicts=r7 -f jsonl=r8 \
			-f report=r9 "$doc" 2>err || [ $? = 1 ]
		absent r1 r2 r3 r4 r5 r6 r7 r8 r9 err
		[ "$(wc -l <r8)" -ge 40 ]
		wv-firewall --check "$doc" 2>err || [ $? = 1 ]
		absent err
		wv-firewall --check --baseline base --baseline-write "$doc"
		absent base
		sed 's/^/+/' "$doc" >added
		{ printf '%s\n' '--- a' '+++ a' "@@ -0,0 +1,$(wc -l <added) @@"; cat added; } >diff
		wv-firewall --check --diff -f jsonl diff >r8 || [ $? = 1 ]
		absent r8
	done
}

@test "40 secrets: in no answer of a tool, no error of one, no reading, no log" {
	cat >policy.yaml <<-'END'
	version: 1
	rules:
	- {name: all, effect: allow, match: {capability: ["**"]}}
	- {name: kept, effect: allow, match: {capability: ["org.demo.keep"]}, obligations: {mode: handle_only}}
	END
	wv-token issue --principal agent-1 --scope 'org.demo.*' --scope 'wv.*' \
		--ttl 1h >token.json
	tools <<-'END'
	- {capability: org.demo.cat, source: exec, command: [cat, --, "{file}"]}
	- {capability: org.demo.keep, source: exec, command: [cat, --, "{file}"]}
	- {capability: org.demo.fail, source: exec, command: [sh, -c, 'cat "$1" >&2; exit 3', sh, "{file}"]}
	- {capability: wv.handle.resolve, source: builtin}
	END
	ask() {
		printf '{"id":"rd-1","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"%s"}]}],"selected_item_id":"i","timestamp":"2026-01-01T00:00:00Z","metadata":{"x_wv_arguments":%s}}\n' "$@"
	}
	for doc in doc.txt doc.json doc.jsonl; do
		ask org.demo.cat "{\"file\":\"$doc\"}"
		ask org.demo.keep "{\"file\":\"$doc\"}"
		ask org.demo.fail "{\"file\":\"$doc\"}"
	done | wv-authorize -p policy.yaml -k token.json 2>err.1 |
		wv-call -v -T tools.yaml >frames 2>err.2 || true
	[ "$(wc -l <frames)" = 9 ]
	absent frames err.2
	# What was kept is read with every selector.
	jq -r '.handle_refs[]' frames >handles
	[ "$(wc -l <handles)" = 3 ]
	while read -r handle; do
		for how in '"head":100' '"lines":{"first":1,"last":99}' \
			'"grep":{"pattern":" "}' '"pointer":"/items"' \
			'"pointer":"/items/3"' '"rows":{"first":1}'; do
			ask wv.handle.resolve "{\"handle_id\":\"$handle\",$how}"
		done
	done <handles | wv-authorize -p policy.yaml -k token.json 2>err.3 |
		wv-call -v -T tools.yaml >read 2>err.4 || true
	[ "$(jq -r .structured_data.error_class read | grep -c null)" -ge 10 ]
	absent read "$WV_STATE/audit.jsonl"
	wv-answer <frames >answer 2>err.5 || true
	absent answer
	for file in err.*; do
		run -1 grep -Ff cores "$file"
	done
}

@test "a known secret, in the forms that programs give it" {
	local secret
	secret=$(core known) secret=${secret:0:24}
	export CANARY=$secret
	{
		echo "plain $secret"
		echo "base64 $(printf %s "$secret" | base64 -w0)"
		echo "hex $(printf %s "$secret" | od -An -tx1 | tr -d ' \n')"
		echo "in ${secret:0:9}"$'\342\200\213'"${secret:9}"
	} >doc
	printf '%s\n' "${secret:2:12}" "$(printf %s "$secret" | base64 -w0 | cut -c1-20)" \
		"$(printf %s "$secret" | od -An -tx1 | tr -d ' \n' | cut -c1-24)" >cores
	wv-firewall -v --known-env CANARY doc >frame 2>err
	wv-firewall -f text --known-env CANARY doc >text
	printf '%s\n' "$secret" >known
	wv-firewall -f jsonl --known known doc >found
	absent frame text found "$WV_STATE/audit.jsonl"
	run -1 grep -Ff cores err
	[ "$(grep -c known-secret found)" = 4 ]
}
