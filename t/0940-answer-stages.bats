#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# wv-answer: the stages as they stand in the sources; unit/answer-stages.c runs
# them.

load lib

@test "each stage has its file, and the table has them in order" {
	cd "$top_srcdir/cmd/wv-answer"
	names=$(sed -n 's/^	{ "\([a-z]*\)", stage_\([a-z]*\) },$/\1 \2/p' stages.c)
	n=0
	while read -r name function; do
		n=$((n + 1))
		[ "$name" = "$function" ]
		grep -q "^stage_$name(struct build \*b)$" "stage-$n-$name.c"
	done <<<"$names"
	[ "$n" = 8 ]
	[ "$(ls stage-*.c | wc -l)" = 8 ]
}

@test "the table runs in one place" {
	cd "$top_srcdir/cmd/wv-answer"
	[ "$(grep -l 'stages\[i\]\.run' ./*.c)" = ./stages.c ]
	[ "$(grep -l 'build_run(' ./*.c | tr '\n' ' ')" = './requests.c ./stages.c ' ]
}

@test "nothing behind the firewall can reach raw text" {
	cd "$top_srcdir/cmd/wv-answer"
	raw=$(grep -l '"raw.h"' ./*.[ch] | tr '\n' ' ')
	for file in $raw; do
		case $file in
		./stage-[1-4]-*.c | ./input.c | ./intake.c | ./history*.c | \
			./main.c | ./messages.h) ;;
		*) echo "$file includes raw.h"; return 1 ;;
		esac
	done
	! grep -n 'raw' stage-[5-8]-*.c output*.c blocks.c item.h |
		grep -v 'raw item\|raw text\|made of raw'
	# messages.h is for what reads
	[ "$(grep -l '"messages.h"' ./*.c | tr '\n' ' ')" = \
		'./history-anthropic.c ./history-openai.c ./messages.c ' ]
}
