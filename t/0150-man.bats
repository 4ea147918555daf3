#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Man pages tell the truth: every option is there, every example runs.
#
# The EXAMPLES of a page are one script, run with pipefail among the files of
# share/examples.  A comment `# status N` on the line before a command says
# that the command ends with N.

load lib

pages() {
	local page
	for page in "$top_srcdir"/doc/*.[1-9]; do
		basename "$page"
	done
}

# the literal blocks of a page's EXAMPLES section, unescaped
examples() {
	awk '/^\.Sh / { on = ($2 == "EXAMPLES"); next }
		on && /^\.Bd/ { block = 1; next }
		on && /^\.Ed/ { block = 0; print ""; next }
		on && /^\.Dl / { print substr($0, 5); next }
		on && block { print }' "$top_srcdir/doc/$1" |
		sed 's/\\&//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\e/\\/g'
}

# runs them, a command at a time
run_examples() {
	local page=$1
	mkdir -p "$BATS_TEST_TMPDIR/$page"
	cd "$BATS_TEST_TMPDIR/$page"
	cp "$BATS_TEST_DIRNAME/../share/examples"/*.yaml .
	[ -e /usr/share/common-licenses/GPL-3 ] ||
		sed -i "s|/usr/share/common-licenses|$top_srcdir/doc|" tools.yaml
	export WV_STATE="$PWD/state"
	examples "$page" >script
	awk -v q="'" '
		/^# status / { want = $3; next }
		/^[ \t]*$/ && !heredoc { next }
		{
			command = command $0 "\n"
			if (!heredoc && match($0, /<<-?[^A-Za-z]*[A-Z]+/)) {
				word = substr($0, RSTART, RLENGTH)
				gsub(/[^A-Z]/, "", word)
				heredoc = word
				next
			}
			if (heredoc) {
				if ($0 != heredoc) next
				heredoc = ""
			}
			quotes = gsub(q, q, command)
			if ($0 ~ /[\\|]$/ || quotes % 2) next
			printf "%s", command
			printf "status=$?; [ $status = %d ] || { echo \"line %d: status $status, not %d\"; exit 1; }\n", want, NR, want
			command = ""; want = 0
		}' script >checked
	[ ! -s script ] || grep -q status checked
	timeout 60 bash -o pipefail checked </dev/null >out 2>err || {
		cat checked out err
		return 1
	}
}

@test "the pages are clean mdoc" {
	for page in $(pages); do
		mandoc -Tlint -Wwarning "$top_srcdir/doc/$page"
	done
}

@test "every tool has a page, with exit status and examples" {
	for tool in wv-route wv-authorize wv-call wv-firewall wv-answer wv-flow \
		wv-trace wv-validate wv-token; do
		grep -q '^\.Sh EXIT STATUS' "$top_srcdir/doc/$tool.1"
		grep -q '^\.Sh EXAMPLES' "$top_srcdir/doc/$tool.1"
	done
}

@test "every option of --help is in the page" {
	for tool in wv-route wv-authorize wv-call wv-firewall wv-answer wv-flow \
		wv-trace wv-validate wv-token; do
		for option in $("$tool" --help | grep -oE -- '--[a-z][a-z0-9-]+' |
			sort -u); do
			grep -qE -- "(Fl -?|-)${option#--}([^a-z0-9-]|$)" \
				"$top_srcdir/doc/$tool.1" ||
				{ echo "$tool: $option"; return 1; }
		done
	done
}

@test "examples run: wv(7)" {
	run_examples wv.7
}

@test "examples run: wv-route(1)" {
	run_examples wv-route.1
}

@test "examples run: wv-authorize(1)" {
	run_examples wv-authorize.1
}

@test "examples run: wv-call(1)" {
	run_examples wv-call.1
}

@test "examples run: wv-firewall(1)" {
	run_examples wv-firewall.1
}

@test "examples run: wv-answer(1)" {
	run_examples wv-answer.1
}

@test "examples run: wv-flow(1)" {
	run_examples wv-flow.1
}

@test "examples run: wv-trace(1)" {
	run_examples wv-trace.1
}

@test "examples run: wv-validate(1)" {
	run_examples wv-validate.1
}

@test "examples run: wv-token(1)" {
	run_examples wv-token.1
}

@test "examples run: wv-policy(5)" {
	run_examples wv-policy.5
}

@test "examples run: wv-firewall-rules(5)" {
	run_examples wv-firewall-rules.5
}

@test "examples run: wv-keyring(5)" {
	run_examples wv-keyring.5
}

@test "examples run: wv.yaml(5)" {
	run_examples wv.yaml.5
}

@test "examples run: wv-tools(5)" {
	run_examples wv-tools.5
}

@test "examples run: wv-flow(5)" {
	run_examples wv-flow.5
}

@test "the pipeline of the README runs as pasted" {
	cd "$top_srcdir"
	sed -n '/^```sh$/,/^```$/p' README | grep -v '^```' \
		>"$BATS_TEST_TMPDIR/pasted"
	[ -s "$BATS_TEST_TMPDIR/pasted" ]
	TMPDIR=$BATS_TEST_TMPDIR timeout 60 bash -e "$BATS_TEST_TMPDIR/pasted" \
		</dev/null >"$BATS_TEST_TMPDIR/out" 2>&1 ||
		{ cat "$BATS_TEST_TMPDIR/out"; return 1; }
	grep -qi warranty "$BATS_TEST_TMPDIR/out"
}
