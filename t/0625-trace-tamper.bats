#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Whatever is done to a log is seen: by the log itself, by the store beside
# it, or by an anchor kept elsewhere; and where only an anchor can see it,
# verify says so.
#
# A log of four files of three lines each; `base` is the state, `kept.jsonl`
# its checkpoint, $head and $count its anchors.

load lib

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	export WV_STATE="$PWD/base"
	for n in 1 2 3 4; do
		for i in 1 2 3; do
			wv-token revoke "tok-$n$i" 2>/dev/null
		done
		[ $n = 4 ] || wv-trace rotate
	done
	wv-token keygen --kid k1 --keyring keyring.json
	wv-trace seal --sign k1 >kept.jsonl
	# younger than the checkpoint
	wv-token revoke tok-44 2>/dev/null
}

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
	base="$BATS_FILE_TMPDIR/base"
	export WV_KEYRING="$BATS_FILE_TMPDIR/keyring.json"
	kept="$BATS_FILE_TMPDIR/kept.jsonl"
	cp -a "$base" "$WV_STATE"
	log="$WV_STATE/audit.jsonl"
	cat "$base"/audit.jsonl.[123] "$base/audit.jsonl" >whole
	head=$(tail -n 1 whole | head -c -1 | sha256sum | cut -c1-64)
}

# restore FILE: as it was
restore() {
	cp -p "$base/$1" "$WV_STATE/$1"
}

# is STATUS WHAT COMMAND…
is() {
	local want=$1 what=$2 status=0
	shift 2
	"$@" >out 2>err || status=$?
	[ $status = "$want" ] || {
		echo "$what: status $status, wanted $want: $*"
		cat err
		return 1
	}
}

# seen WHAT: in our own log, by what the store and the log say
seen() {
	is 1 "$1" wv-trace verify
	grep -q ':.*offset\|segment' err
}

# in_file HOW WHAT: the file `bare`, judged by itself; HOW is seen, or anchor:
# by an anchor only, which verify says
in_file() {
	if [ "$1" = seen ]; then
		is 1 "$2" wv-trace verify bare
	else
		is 0 "$2" wv-trace verify bare
		told "no anchor: lines that were cut off at the end, or a change of the last one, cannot be seen"
		is 1 "$2" wv-trace verify --expect-head "$head" bare
	fi
}

@test "as it is, it is whole" {
	is 0 whole wv-trace verify --checkpoint "$kept" --expect-head "$head" \
		--expect-count 13
	is 0 whole wv-trace verify --checkpoint "$kept" --expect-head "$head" \
		--expect-count 13 whole
}

@test "a line is changed: in any file, at any place" {
	for file in audit.jsonl.1 audit.jsonl.2 audit.jsonl.3 audit.jsonl; do
		for n in 1 2 3; do
			sed -i "${n}s/token_revoked/token_rewoked/" "$WV_STATE/$file"
			seen "$file, line $n"
			grep -q "$file:$n: offset" err
			restore $file
		done
	done
	sed -i '4s/token_revoked/token_rewoked/' "$log"
	seen "the last line"
	sed '5s/token_revoked/token_rewoked/' whole >bare
	in_file seen "line 5"
	sed '13s/token_revoked/token_rewoked/' whole >bare
	in_file anchor "the last line"
}

@test "a line is deleted, inserted, doubled or moved" {
	for file in audit.jsonl.1 audit.jsonl.2 audit.jsonl.3 audit.jsonl; do
		for edit in 1d 2d 3d 1p 2p 3p '2i {}' '1{h;d};2G' '2{h;d};3G'; do
			sed -i "$edit" "$WV_STATE/$file"
			seen "$file: $edit"
			restore $file
		done
	done
	for edit in 1d 5d 1p 13p '7i {}' '12{h;d};13G'; do
		sed "$edit" whole >bare
		in_file seen "$edit"
	done
	sed 13d whole >bare
	in_file anchor "the last line is deleted"
}

@test "a file is cut: at a line, within one, to nothing" {
	for file in audit.jsonl.1 audit.jsonl.2 audit.jsonl.3 audit.jsonl; do
		head -n 2 "$base/$file" >"$WV_STATE/$file"
		seen "$file at a line"
		head -c -20 "$base/$file" >"$WV_STATE/$file"
		seen "$file within a line"
		head -c -1 "$base/$file" >"$WV_STATE/$file"
		seen "$file: its last LF"
		: >"$WV_STATE/$file"
		seen "$file to nothing"
		restore $file
	done
	head -n 8 whole >bare
	in_file anchor "at a line"
	is 1 "by a count" wv-trace verify --expect-count 13 bare
	is 1 "by a checkpoint" wv-trace verify --checkpoint "$kept" bare
	# what is younger than the checkpoint is not covered by it
	head -n 12 whole >bare
	is 0 "behind the checkpoint" wv-trace verify --checkpoint "$kept" bare
	head -c -20 whole >bare
	in_file seen "within a line"
	: >bare
	is 2 "to nothing" wv-trace verify bare
	is 1 "to nothing" wv-trace verify --expect-head "$head" bare
	is 1 "to nothing" wv-trace verify --checkpoint "$kept" bare
}

@test "a segment is removed, exchanged, or of another log" {
	for n in 2 3; do
		rm "$log.$n"
		is 1 "segment $n is removed" wv-trace verify
		grep -q "begins after segment" err
		restore audit.jsonl.$n
	done
	# the first could have been moved away: only an anchor can tell
	rm "$log.1"
	is 0 "the first is removed" wv-trace verify
	told "lines 1 to 3 stand in segments before it, which are not here"
	is 1 "by a count" wv-trace verify --expect-count 13
	restore audit.jsonl.1
	mv "$log.1" x
	mv "$log.2" "$log.1"
	mv x "$log.2"
	seen "two are exchanged"
	cp -p "$base"/audit.jsonl.* "$WV_STATE/"
	cp -p "$log.1" "$log.2"
	seen "one is put twice"
	restore audit.jsonl.2
	WV_STATE="$PWD/other" wv-token revoke tok-1
	cp other/audit.jsonl "$log.1"
	seen "the first of another log"
	cp other/audit.jsonl "$log.3"
	seen "the third of another log"
}

@test "two logs are spliced" {
	for i in 1 2 3 4 5 6; do
		WV_STATE="$PWD/other" wv-token revoke tok-$i 2>/dev/null
	done
	{
		head -n 5 whole
		sed 1,5d other/audit.jsonl
	} >bare
	in_file seen "at the same number"
	{
		cat whole
		cat other/audit.jsonl
	} >bare
	in_file seen "one behind the other"
	{
		head -n 3 other/audit.jsonl
		sed 1,3d whole
	} >bare
	in_file seen "another beginning"
	cp other/audit.jsonl "$log"
	is 1 "another live log" wv-trace verify
	rm "$log".[123]
	is 1 "another log alone" wv-trace verify
	is 0 "another log, by itself" wv-trace verify other/audit.jsonl
	is 1 "another log, by the checkpoint" \
		wv-trace verify --checkpoint "$kept" other/audit.jsonl
}

@test "an older copy of the log, of the store, of both" {
	cp -a "$WV_STATE" older
	cp "$log" log-before
	wv-token revoke tok-99 2>/dev/null
	cp -p older/audit.jsonl "$log"
	seen "an older log"
	fails_with 2 "the log lacks" wv-token revoke tok-98
	# an older store: one group is like a writer that died, and is settled
	# as such; more are refused, as the log says what the store had known
	rm -rf "$WV_STATE"
	cp -a older "$WV_STATE"
	wv-token revoke tok-97 2>/dev/null
	wv-token revoke tok-98 2>/dev/null
	rm "$WV_STATE"/kernel.db*
	cp -p older/kernel.db* "$WV_STATE/"
	is 0 "an older store" wv-trace verify
	told "2 lines are unknown to the store"
	fails_with 2 "the store is older than the log" wv-token revoke tok-96
	# both: whole by itself, and told by an anchor
	rm -rf "$WV_STATE"
	cp -a older "$WV_STATE"
	wv-token revoke tok-97 2>/dev/null
	later=$(tail -n 1 "$log" | head -c -1 | sha256sum | cut -c1-64)
	wv-trace seal --sign k1 >later.jsonl
	rm -rf "$WV_STATE"
	cp -a older "$WV_STATE"
	is 0 "an older state" wv-trace verify
	is 1 "an older state, by its head" wv-trace verify --expect-head "$later"
	is 1 "an older state, by a checkpoint" \
		wv-trace verify --checkpoint later.jsonl
}

@test "an older state beside newer segments: no group begins" {
	cp -a "$WV_STATE" older
	wv-trace rotate
	wv-token revoke tok-97 2>/dev/null
	wv-trace rotate
	gzip -k "$log.5"
	chmod 600 "$log.5.gz"
	for newer in "$log.5" "$log.5.gz"; do
		cp -p "$newer" older/
		fails_with 2 "the store is older than the log: ${newer##*/} goes on beyond line 13" \
			wv-token revoke --state older tok-99
		fails_with 2 "the store is older than the log" \
			wv-trace rotate --state older
		is 1 "and verify says so" wv-trace verify --state older
		rm "older/${newer##*/}"
	done
	# a copy of what is known is in nobody's way
	cp -p "$log.4" older/audit.jsonl.9
	wv-token revoke --state older tok-99
}

@test "a new state beside the segments of an old one: no group begins" {
	rm "$WV_STATE"/kernel.db* "$log"
	fails_with 2 "the store is older than the log: audit.jsonl.3 goes on beyond line 0" \
		wv-token revoke tok-99
}

# rechained FILE: with a chain that is right again from line N on
rechained() {
	local line prev n=0
	prev=$(printf %064d 0)
	while IFS= read -r line; do
		line=$(sed "s/\"prev\":\"[0-9a-f]*\"/\"prev\":\"$prev\"/" <<<"$line")
		prev=$(printf %s "$line" | sha256sum)
		prev=${prev%% *}
		printf '%s\n' "$line"
	done <"$1"
}

# whoever can write it can make a new one
@test "all of it is made anew: seen by an anchor, not by itself" {
	sed '5s/tok-22/tok-xx/' whole >changed
	rechained changed >bare
	in_file anchor "made anew"
	is 1 "by the checkpoint" wv-trace verify --checkpoint "$kept" bare
	is 0 "by a count, which is the same" wv-trace verify --expect-count 13 bare
	# the state's own is held against the store
	head -n 3 bare >"$log.1"
	sed -n 4,6p bare >"$log.2"
	sed -n 7,9p bare >"$log.3"
	sed -n '10,$p' bare >"$log"
	is 1 "our own" wv-trace verify
}

@test "what a fault is about is told once, and the rest is read on" {
	sed -i '2s/tok-12/tok-xx/' "$log.1"
	sed -i '1d' "$log.3"
	sed -i '2s/tok-42/tok-xx/' "$log"
	is 1 "three" wv-trace verify
	grep -q "audit.jsonl.1:2: offset .*changed: line 3 holds another hash" err
	grep -q "audit.jsonl:2: offset .*changed" err
	grep -q '"lines":12,.*"faults":[34],' out
}
