#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-route --eval: the figures, their floors, and what our own catalogue and
# the shared one reach.

load lib
load route

setup() {
	cd "$BATS_TEST_TMPDIR"
	route=$top_srcdir/share/route
}

small() {
	cap a.apple Apple 'Red fruit.'
	cap a.pear Pear 'Green fruit.'
	cap a.plum Plum 'Blue fruit.'
	cap a.fig Fig 'Brown fruit.'
}

@test "figures by hand" {
	small >cat.jsonl
	# places: 1, 2 (fruit: apple fig pear plum), none, and one that is
	# none and should be, and one that should be and is not
	cat >q.jsonl <<-'END'
		{"query":"apple","expect":["a.apple"]}
		{"query":"fruit","expect":["a.pear","a.fig"],"id":"q2"}
		{"query":"apple","expect":["a.plum"]}
		{"query":"zebra","expect":[],"x_kind":"none"}
		{"query":"plum","expect":[]}
	END
	wv-route -c cat.jsonl -e fruit | items >order
	place=$(grep -nE 'pear|fig' order | head -n 1 | cut -d: -f1)
	mrr=$(awk -v p="$place" 'BEGIN { printf "%.4f", (1 + 1 / p) / 3 }')
	one=$([ "$place" = 1 ] && echo 0.6667 || echo 0.3333)
	run -0 wv-route -c cat.jsonl --eval q.jsonl
	[ "$output" = "R@1 $one R@3 0.6667 R@5 0.6667 R@10 0.6667 MRR $mrr no-match 0.2000 no-match-right 0.5000" ]
	run -0 wv-route -c cat.jsonl --eval q.jsonl -f json
	[ "$output" = "{\"queries\":5,\"R@1\":$one,\"R@3\":0.6667,\"R@5\":0.6667,\"R@10\":0.6667,\"MRR\":$mrr,\"no-match\":0.2000,\"no-match-right\":0.5000}" ]
	# what no query asks for has no figure, and no floor
	head -n 3 q.jsonl >some.jsonl
	run -0 wv-route -c cat.jsonl --eval some.jsonl
	[[ $output == *' no-match 0.0000' ]]
	fails_with 2 '--floor no-match-right: no query' \
		wv-route -c cat.jsonl --eval some.jsonl --floor no-match-right=1
	sed -n 4p q.jsonl >none.jsonl
	run -0 wv-route -c cat.jsonl --eval none.jsonl
	[ "$output" = 'no-match 1.0000 no-match-right 1.0000' ]
}

@test "below a floor is 1, the figures are there all the same" {
	small >cat.jsonl
	echo '{"query":"apple","expect":["a.apple"]}' >q.jsonl
	echo '{"query":"pear","expect":["a.plum"]}' >>q.jsonl
	run -0 wv-route -c cat.jsonl --eval q.jsonl --floor R@1=0.5 --floor mrr=.5
	run -1 --separate-stderr wv-route -c cat.jsonl --eval q.jsonl \
		--floor r@1=0.51 --floor MRR=0.4 --floor R@10=0.75
	[[ $output == 'R@1 0.5000 '* ]]
	[[ $stderr == *'R@1 is 0.5000, its floor 0.51'* ]]
	[[ $stderr == *'R@10 is 0.5000, its floor 0.75'* ]]
	[[ $stderr != *MRR* ]]
	fails_with 2 'R@1, R@3' wv-route -c cat.jsonl --eval q.jsonl --floor R@2=0.5
	fails_with 2 'R@1, R@3' wv-route -c cat.jsonl --eval q.jsonl --floor 0.5
	for value in 1.1 -1 '' x 0x1 nan 1e1; do
		fails_with 2 'from 0 to 1' \
			wv-route -c cat.jsonl --eval q.jsonl --floor "R@1=$value"
	done
}

@test "-v names the queries that failed" {
	small >cat.jsonl
	cat >q.jsonl <<-'END'
		{"query":"apple","expect":["a.apple"]}
		{"query":"pear","expect":["a.plum","a.fig"]}
		{"query":"plum","expect":[]}
		{"query":"zebra","expect":["a.fig"]}
	END
	run -0 --separate-stderr wv-route -v -c cat.jsonl --eval q.jsonl
	[[ $stderr != *q.jsonl:1:* ]]
	[[ $stderr == *'q.jsonl:2: "pear" expects a.plum, a.fig; offered: a.pear'* ]]
	[[ $stderr == *'q.jsonl:3: "plum" expects no match; offered: a.plum'* ]]
	[[ $stderr == *'q.jsonl:4: "zebra" expects a.fig; offered: nothing'* ]]
	run -0 --separate-stderr wv-route -c cat.jsonl --eval q.jsonl
	[ -z "$stderr" ]
}

@test "what is no evaluation is 2: bad lines, unknown ids, nothing" {
	small >cat.jsonl
	cat >q.jsonl <<-'END'
		{"query":"apple","expect":["a.apple"]}
		{"query":"apple","expect":["a.aple"]}
		{"query":"apple"}
		{"query":"apple","expect":["a.apple"],"kind":"x"}
		{"query":"apple","expect":"a.apple"}
		{"query":" ","expect":[]}
	END
	run -2 --separate-stderr wv-route -c cat.jsonl --eval q.jsonl
	[[ $output == 'R@1 1.0000 '* ]]
	[[ $stderr == *'q.jsonl:2:27: no capability "a.aple" in the catalogue'* ]]
	[[ $output != *no-match-right* ]]
	for line in 3 4 5 6; do [[ $stderr == *"q.jsonl:$line:"* ]]; done
	: >q.jsonl
	fails_with 2 'no records' wv-route -c cat.jsonl --eval q.jsonl
	fails_with 2 nowhere wv-route -c cat.jsonl --eval nowhere
	fails_with 2 catalogue wv-route --eval q.jsonl
	fails_with 2 'routes nothing' wv-route -c cat.jsonl --eval q.jsonl -e x
	fails_with 2 'routes nothing' wv-route -c cat.jsonl --eval q.jsonl -n 3
}

@test "the figures are those of routing" {
	wv-route -c "$route/catalog.jsonl" --eval "$route/queries.jsonl" >figures
	sed 's/, *"expect".*/}/' "$route/queries.jsonl" >requests.jsonl
	run --separate-stderr -1 wv-route -c "$route/catalog.jsonl" -n 20 requests.jsonl
	echo "$output" >out
	sed 's/.*"expect": *\[//; s/\].*//; s/[" ]//g' "$route/queries.jsonl" >expect
	while read -r line; do
		items <<<"$line" | tr '\n' ' '
		echo
	done <out >offered
	paste -d'|' expect offered | awk -F'|' '
		$1 == "" { none++; right += $2 ~ /^no-match/; next }
		{
			n++
			split($1, want, ","); count = split($2, got, " ")
			place = 0
			for (i = count; i > 0; i--) for (j in want)
				if (got[i] == want[j]) place = i
			if (place) mrr += 1 / place
			r1 += place == 1; r10 += place && place <= 10
		}
		END { printf "%.4f %.4f %.4f %.4f\n", r1 / n, r10 / n, mrr / n, right / none }' >want
	awk '{ print $2, $8, $10, $14 }' figures >got
	diff -u want got
}

@test "our own catalogue: 60 tools and 200 queries at least, all kinds" {
	[ "$(wc -l <"$route/catalog.jsonl")" -ge 60 ]
	[ "$(wc -l <"$route/queries.jsonl")" -ge 200 ]
	[ "$(sed 's/{"id": *"\([^.]*\)\..*/\1/' "$route/catalog.jsonl" | sort -u | wc -l)" -ge 8 ]
	for kind in plain indirect typo none ambiguous german french spanish japanese russian; do
		[ "$(grep -c "\"x_kind\": *\"$kind\"" "$route/queries.jsonl")" -ge 5 ]
	done
	wv-validate -t capability --strict --check "$route/catalog.jsonl"
	run -0 wv-route --lint "$route/catalog.jsonl"
	[ -z "$output" ]
}

@test "every tool is first for its name and id, among five for its description (R1)" {
	# queries FILE MEMBER: those that are this member of each tool, expecting it
	queries() {
		sed -E "s/.*\"id\": *\"([^\"]*)\".*\"$2\": *\"([^\"]*)\".*/{\"query\":\"\\2\",\"expect\":[\"\\1\"]}/" "$1"
	}
	sed -E 's/.*"id": *"([^"]*)".*/{"query":"\1","expect":["\1"]}/' "$route/catalog.jsonl" >ids.jsonl
	wv-route -c "$route/catalog.jsonl" --eval ids.jsonl --floor R@1=1
	queries "$route/catalog.jsonl" name >names.jsonl
	wv-route -c "$route/catalog.jsonl" --eval names.jsonl --floor R@1=1
	# greedy: the last description of a line is that of an argument
	sed 's/"metadata".*//' "$route/catalog.jsonl" >bare
	queries bare description >texts.jsonl
	[ "$(grep -c '^{"query"' texts.jsonl)" = "$(wc -l <bare)" ]
	wv-route -c "$route/catalog.jsonl" --eval texts.jsonl --floor R@5=1
}

@test "our own catalogue is found: floors" {
	wv-route -c "$route/catalog.jsonl" --eval "$route/queries.jsonl" \
		--floor R@1=0.82 --floor R@3=0.90 --floor R@5=0.92 \
		--floor R@10=0.94 --floor MRR=0.86 --floor no-match-right=0.84
	# a kind that is lost does not hide among the others
	for kind in plain:0.93 typo:0.8 name:1 ambiguous:0.6; do
		grep "\"x_kind\": *\"${kind%:*}\"" "$route/queries.jsonl" >some.jsonl
		wv-route -c "$route/catalog.jsonl" --eval some.jsonl --floor "R@5=${kind#*:}"
	done
}

@test "MetaTool is found: both halves of the queries, with and without examples" {
	need_data routing
	data=$shared_data/routing
	cat=$data/metatool-capabilities.jsonl
	queries=$data/metatool-queries.jsonl
	# both files have the tools in one order
	paste -d'|' <(sed 's/.*"id": "\([^"]*\)".*/\1/' "$cat") \
		<(sed 's/.*"id": "\([^"]*\)".*/\1/' "$data/metatool-examples.jsonl") |
		awk -F'|' '$1 != $2 { exit 1 }'
	paste -d' ' <(sed 's/}$/, "metadata": {"x_wv_examples":/' "$cat") \
		<(sed 's/.*"examples": //' "$data/metatool-examples.jsonl") |
		sed 's/$/}/' >examples.jsonl
	# the goals are for all of them; weights were found on the first half
	wv-route -c "$cat" --eval "$queries" --floor R@1=0.465 --floor R@5=0.69
	wv-route -c examples.jsonl --eval "$queries" --floor R@1=0.635 --floor R@5=0.85
	head -n 2000 "$queries" >first.jsonl
	tail -n +2001 "$queries" >second.jsonl
	for half in first second; do
		wv-route -c "$cat" --eval $half.jsonl --floor R@1=0.45 --floor R@5=0.65
		wv-route -c examples.jsonl --eval $half.jsonl --floor R@1=0.61 --floor R@5=0.83
	done
}
