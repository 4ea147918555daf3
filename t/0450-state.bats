#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The state folder: what it is made of, who may be near it, what is refused.

load lib

load state

setup_file() {
	build_sql
}

setup() {
	use_state
	cd "$BATS_TEST_TMPDIR"
}

issue=(wv-token issue --principal agent-7 --scope org.demo.search --ttl 1h)
issue() {
	"${issue[@]}" "$@" >/dev/null
}

@test "folders are 0700 and files 0600, whatever the umask" {
	for mask in 000 022 077 777; do
		(umask $mask && WV_STATE="$PWD/s$mask/deep/er" issue) >/dev/null
		run find "s$mask" -type d ! -perm 700
		[ -z "$output" ]
		run find "s$mask" -type f ! -perm 600
		[ -z "$output" ]
		[ -f "s$mask/deep/er/kernel.db-wal" ]
	done
}

@test "where it is: --state, WV_STATE, XDG_STATE_HOME, HOME" {
	export HOME="$PWD/home" XDG_STATE_HOME="$PWD/xdg" WV_STATE="$PWD/env"
	mkdir home
	issue --state flag
	[ -f flag/kernel.db ]
	[ ! -e env ]
	issue
	[ -f env/kernel.db ]
	[ ! -e xdg ]
	WV_STATE= issue
	[ -f xdg/wv/kernel.db ]
	[ ! -e home/.local ]
	unset WV_STATE
	XDG_STATE_HOME=relative issue
	[ -f home/.local/state/wv/kernel.db ]
	[ ! -e relative ]
	unset XDG_STATE_HOME HOME
	fails_with 2 "no state folder" "${issue[@]}"
	fails_with 2 "empty" "${issue[@]}" --state ''
}

@test "tools that only read say that there is no state" {
	fails_with 2 "there is no state" wv-trace
	fails_with 2 "there is no state" wv-trace verify
	[ ! -e "$WV_STATE" ]
	mkdir -m 700 "$WV_STATE"
	fails_with 2 "there is no state" wv-trace verify
	[ -z "$(ls -A "$WV_STATE")" ]
}

@test "group or other bits are refused, and mended by hand" {
	issue
	for name in . kernel.db kernel.db-wal kernel.db-shm audit.jsonl lock \
		keys keys/digest.key; do
		for bit in g+r o+w o+x; do
			chmod $bit "$WV_STATE/$name"
			fails_with 2 "only its owner may have access" "${issue[@]}"
			chmod go= "$WV_STATE/$name"
		done
	done
	issue
}

# Every file, each in turn another thing; folders below.
@test "links, and other kinds of file, are refused for everything in it" {
	issue
	for name in kernel.db kernel.db-wal kernel.db-shm audit.jsonl lock \
		keys/digest.key; do
		file="$WV_STATE/$name"
		mv "$file" moved
		ln -s "$PWD/moved" "$file"
		fails_with 2 "symbolic link" "${issue[@]}"
		rm "$file"
		ln moved "$file"
		fails_with 2 "hard link" "${issue[@]}"
		rm "$file"
		mkfifo -m 600 "$file"
		fails_with 2 "not a regular file" "${issue[@]}"
		rm "$file"
		mkdir -m 700 "$file"
		run -2 "${issue[@]}"
		rmdir "$file"
		mv moved "$file"
	done
	issue
	fails_with 2 "" "${issue[@]}" --state "$WV_STATE/lock"
}

@test "a rollback journal is judged too, for a store may look for one" {
	issue
	ln -s "$PWD/elsewhere" "$WV_STATE/kernel.db-journal"
	fails_with 2 "symbolic link" "${issue[@]}"
	fails_with 2 "symbolic link" wv-trace
}

@test "folders of it: no links, no files, nobody else's" {
	wv-token keygen --kid k1 >/dev/null
	sign=("${issue[@]}" --sign k1)
	"${sign[@]}" >/dev/null
	mv "$WV_STATE/keys" elsewhere
	ln -s "$PWD/elsewhere" "$WV_STATE/keys"
	fails_with 2 "symbolic link" "${sign[@]}"
	rm "$WV_STATE/keys"
	: >"$WV_STATE/keys"
	run -2 "${sign[@]}"
	rm "$WV_STATE/keys"
	mv elsewhere "$WV_STATE/keys"
	for bit in g+w o+x; do
		chmod $bit "$WV_STATE/keys"
		fails_with 2 "only its owner may have access" "${sign[@]}"
		chmod go= "$WV_STATE/keys"
	done
	# a key too
	mv "$WV_STATE/keys/k1.pem" moved
	ln -s "$PWD/moved" "$WV_STATE/keys/k1.pem"
	fails_with 2 "symbolic link" "${sign[@]}"
	rm "$WV_STATE/keys/k1.pem"
	ln moved "$WV_STATE/keys/k1.pem"
	fails_with 2 "hard link" "${sign[@]}"
	rm "$WV_STATE/keys/k1.pem"
	mv moved "$WV_STATE/keys/k1.pem"
	"${sign[@]}" >/dev/null
}

@test "the folder itself is no link" {
	mkdir -m 700 real
	ln -s real "$WV_STATE"
	fails_with 2 "symbolic link" "${issue[@]}"
	fails_with 2 "symbolic link" wv-trace verify
	[ -z "$(ls -A real)" ]
}

@test "a link among the ancestors may be our own" {
	mkdir -m 700 real
	ln -s real way
	ln -s way/../way/. other
	issue --state other/state
	[ -f real/state/kernel.db ]
	ln -s loop loop
	fails_with 2 "loop" "${issue[@]}" --state loop/state
}

@test "an ancestor that others can write to is refused" {
	mkdir -m 700 a
	issue --state a/b/state
	for mode in 720 702; do
		chmod $mode a
		fails_with 2 "others can write to" "${issue[@]}" --state a/b/state
	done
	chmod 700 a
	chmod 777 a/b
	fails_with 2 "others can write to" "${issue[@]}" --state a/b/new
	[ ! -e a/b/new ]
	chmod 700 a/b
	issue --state a/b/state
}

@test "as root: a sticky folder of root is no danger, other owners are" {
	[ "$(id -u)" = 0 ] || skip "needs root to give files away"
	mkdir a
	chmod 1777 a
	issue --state a/state
	chown 65534 a
	fails_with 2 "could replace the state folder" "${issue[@]}" --state a/state
	chown 0 a
	for name in a/state a/state/kernel.db a/state/kernel.db-wal \
		a/state/kernel.db-shm a/state/audit.jsonl a/state/lock \
		a/state/keys a/state/keys/digest.key; do
		chown 65534 $name
		fails_with 2 "belongs to user 65534" "${issue[@]}" --state a/state
		chown 0 $name
	done
	ln -s a link
	chown -h 65534 link
	fails_with 2 "made the symbolic link" "${issue[@]}" --state link/state
}

@test "store without log, log without store" {
	issue
	mv "$WV_STATE/audit.jsonl" moved
	fails_with 2 "there is no audit.jsonl" "${issue[@]}"
	fails_with 2 "there is no audit.jsonl" wv-trace verify
	[ ! -e "$WV_STATE/audit.jsonl" ]
	mv moved "$WV_STATE/audit.jsonl"
	mkdir moved
	mv "$WV_STATE"/kernel.db* moved
	fails_with 2 "audit.jsonl is there without kernel.db" "${issue[@]}"
	fails_with 2 "audit.jsonl is there without kernel.db" wv-trace
	(umask 077 && : >"$WV_STATE/kernel.db")
	fails_with 2 "audit.jsonl is there without kernel.db" "${issue[@]}"
	mv moved/kernel.db* "$WV_STATE"
	issue
	wv-trace verify
}

@test "a making that was cut short is finished, not refused" {
	umask 077
	mkdir "$WV_STATE"
	issue
	rm -rf "$WV_STATE"
	mkdir "$WV_STATE" "$WV_STATE/keys"
	: >"$WV_STATE/lock"
	printf short >"$WV_STATE/keys/digest.key"
	: >"$WV_STATE/audit.jsonl"
	fails_with 2 "there is no state" wv-trace
	issue
	[ "$(stat -c %s "$WV_STATE/keys/digest.key")" = 32 ]
	rm -rf "$WV_STATE"
	mkdir "$WV_STATE"
	: >"$WV_STATE/audit.jsonl"
	: >"$WV_STATE/kernel.db"
	issue
	rm -rf "$WV_STATE"
	wv-token init
	rm "$WV_STATE/audit.jsonl"
	issue
	wv-trace verify
}

# refused TEXT: by tools that write, that read and that only look; and none
# of them changes the log
refused() {
	cp "$WV_STATE/audit.jsonl" log-before
	fails_with 2 "$1" "${issue[@]}"
	fails_with 2 "$1" wv-token revoke tok-1
	fails_with 2 "$1" wv-trace
	fails_with 2 "$1" wv-trace verify
	fails_with 2 "$1" wv-trace recover
	cmp log-before "$WV_STATE/audit.jsonl"
}

@test "a store that is damaged is told as such, and what to do" {
	issue
	cp -a "$WV_STATE" good
	head -c 8192 /dev/zero | tr '\0' x >"$WV_STATE/kernel.db"
	rm "$WV_STATE"/kernel.db-*
	refused "kernel.db is damaged"
	refused "make a new state in another folder"
	# cut off in the middle of a page, and between two
	for size in 5000 4096 100; do
		rm -rf "$WV_STATE"
		cp -a good "$WV_STATE"
		whole_store
		truncate -s $size "$WV_STATE/kernel.db"
		refused "kernel.db is damaged"
	done
	# a table's first page; the header alone is whole
	rm -rf "$WV_STATE"
	cp -a good "$WV_STATE"
	whole_store
	dd if=/dev/zero of="$WV_STATE/kernel.db" bs=4096 seek=1 count=8 \
		conv=notrunc 2>/dev/null
	refused "kernel.db is damaged"
}

# the store in its one file, without a write-ahead log
whole_store() {
	need_sql
	"$sql" "$WV_STATE/kernel.db" <<<'PRAGMA journal_mode = DELETE' >/dev/null
	rm -f "$WV_STATE"/kernel.db-*
}

@test "whatever page of a store is lost, nothing is allowed that was not" {
	need_sql
	cat >policy.yaml <<-'END'
	version: 1
	default: deny
	rules:
	  - name: all
	    effect: allow
	    match: {capability: ["org.demo.*"]}
	END
	printf '{"id":"r","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"org.demo.search"}]}],"selected_item_id":"i","selected_card_id":"c","timestamp":"2026-01-01T00:00:00Z"}\n' >request
	wv-token issue --principal agent-7 --scope org.demo.search --single-use \
		>token.json
	authorize=(wv-authorize -p policy.yaml -k token.json request)
	"${authorize[@]}" >/dev/null
	whole_store
	cp -a "$WV_STATE" good
	pages=$(($(stat -c %s good/kernel.db) / 4096))
	[ $pages -gt 10 ]
	for ((i = 0; i < pages; i++)); do
		for byte in '\377' ${WV_LONG:+'\0'}; do
			cp good/kernel.db good/audit.jsonl "$WV_STATE"
			rm -f "$WV_STATE"/kernel.db-*
			head -c 4096 /dev/zero | tr '\0' "$byte" |
				dd of="$WV_STATE/kernel.db" bs=4096 seek=$i \
					conv=notrunc 2>/dev/null
			status=0
			"${authorize[@]}" >out 2>err || status=$?
			# a page that was not needed, or the damage is told
			[ $status = 1 ] || grep -q 'kernel\.db' err || {
				echo "page $i, $byte: status $status"
				return 1
			}
			! grep -q '"decision":"allow"' out
		done
	done
}

@test "a store of a newer program is refused as such" {
	need_sql
	issue
	"$sql" "$WV_STATE/kernel.db" <<<'PRAGMA user_version = 5'
	refused "kernel.db has version 5, of a newer program"
}

# migrates VERSION
migrates() {
	old_state "$1"
	fails_with 2 "wv-trace recover" wv-trace
	fails_with 2 "kernel.db is of an older program" wv-trace verify
	[ "$("$sql" "$WV_STATE/kernel.db" <<<'PRAGMA user_version')" = "$1" ]
	run -0 wv-trace recover
	[[ "$output" == *"nothing to recover"* ]]
	dump_store "$WV_STATE/kernel.db" >got
	head -n "$(wc -l <want)" got | diff want -
	tail -n 2 got | tr '\n' ' ' | grep -qx '4 ok '
	# the same tables as a new one has
	sed -n "$(($(wc -l <want) + 1)),\$p" got >tables
	(
		export WV_STATE="$PWD/new"
		wv-token init
		dump_store new/kernel.db
	) | diff - tables
	wv-token verify token.json
	issue
	wv-trace verify
}

@test "a store of version 1 is migrated, whole, by the first that writes" {
	migrates 1
}

@test "and so is one of version 2, and 3" {
	migrates 2
	rm -rf "$WV_STATE" new
	migrates 3
}

@test "a lost key is refused" {
	issue
	rm "$WV_STATE/keys/digest.key"
	fails_with 2 "digest.key" "${issue[@]}"
}

@test "a log that lacks what the store recorded is refused (cases E45)" {
	issue
	issue
	cp "$WV_STATE/audit.jsonl" whole
	head -n 1 whole >"$WV_STATE/audit.jsonl"
	fails_with 2 "the log lacks what the store recorded" "${issue[@]}"
	: >"$WV_STATE/audit.jsonl"
	fails_with 2 "the log lacks what the store recorded" "${issue[@]}"
	sed '2s/agent-7/agent-8/' whole >"$WV_STATE/audit.jsonl"
	fails_with 2 "the log lacks what the store recorded" "${issue[@]}"
	cat whole >"$WV_STATE/audit.jsonl"
	issue
	wv-trace verify
}

# The first group after it voided what the store lacked, and a token that had
# been spent was good again.
@test "a store that is put back, or loses commits, is refused: nothing is good again" {
	wv-token issue --principal agent-7 --scope org.demo.search --single-use \
		>once.json
	cat >policy.yaml <<-'END'
		version: 1
		rules: [{effect: allow, match: {capability: [org.demo.search]}}]
	END
	cat >routed.jsonl <<-'END'
		{"id":"rd","choice_cards":[{"id":"c","items":[{"id":"i","label":"l","description":"d","capability_id":"org.demo.search"}]}],"selected_item_id":"i","timestamp":"2026-01-02T03:04:05Z"}
	END
	decide() {
		wv-authorize -p policy.yaml -k once.json routed.jsonl
	}
	mkdir old
	cp "$WV_STATE"/kernel.db* old/
	run -0 decide
	issue
	head -c -1 "$WV_STATE/audit.jsonl" | tail -n 1 >last
	grep -q '"base":[1-9]' last
	run -0 wv-trace verify
	rm "$WV_STATE"/kernel.db*
	cp -p old/* "$WV_STATE/"
	cp "$WV_STATE/audit.jsonl" before
	run -2 --separate-stderr decide
	[ -z "$output" ]
	[[ "$stderr" == *"the store is older than the log"*"make a new state"* ]]
	fails_with 2 "the store is older than the log" "${issue[@]}"
	cmp before "$WV_STATE/audit.jsonl"
}

@test "a torn tail stays, and the next line accounts for it (cases E39)" {
	issue
	printf '{"event_id":"evt-1","event' >>"$WV_STATE/audit.jsonl"
	run -0 wv-trace verify
	[[ "$output" == *"a writer died"* ]]
	issue
	[ "$(wc -l <"$WV_STATE/audit.jsonl")" = 3 ]
	sed -n 2p "$WV_STATE/audit.jsonl" | grep -qx '{"event_id":"evt-1","event'
	sed -n 3p "$WV_STATE/audit.jsonl" | grep -q '"gap":{"bytes":26,'
	run -0 wv-trace verify
	[[ "$output" == *"accounted for"* ]]
}

@test "a log that may not grow is an error, and nothing is half done" {
	# larger than the store, so that the log meets the limit
	for i in $(seq 8000); do
		printf '{"event_id":"e-%d","event_type":"flow_started",' $i
		printf '"timestamp":"2026-01-01T00:00:00Z"}\n'
	done | wv-trace append --foreign elsewhere
	issue
	cp "$WV_STATE/audit.jsonl" before
	size=$(stat -c %s before)
	[ "$size" -gt "$(stat -c %s "$WV_STATE/kernel.db-wal")" ]
	run -2 bash -c 'ulimit -f $1; shift; exec "$@"' _ $((size / 1024)) \
		"${issue[@]}"
	[[ "$output" == *"audit.jsonl: File too large"* ]]
	cmp before "$WV_STATE/audit.jsonl"
	issue
	run -0 wv-trace verify
	[[ "$output" == *" 0 notes"* ]]
}

@test "a store that may not grow is an error, and what is logged is void" {
	issue
	for limit in 0 4 16 40 60; do
		run bash -c 'ulimit -f $1; shift; exec "$@" 2>&1' _ $limit \
			"${issue[@]}"
		[ "$status" = 0 ] || [ "$status" = 2 ]
		[[ "$status" = 0 || "$output" != *token_id* ]]
		wv-trace verify
	done
	run -2 bash -c 'ulimit -f 40; exec "$@"' _ "${issue[@]}"
	issue
	run -0 wv-trace verify
	[[ "$output" == *" 0 notes"* ]]
	run -0 wv-trace --event invalidated --code not_committed --count
	[ "$output" -ge 1 ]
	issued=$(wv-trace --event issued --count)
	[ "$issued" -gt "$output" ]
}

# nothing expires before the clock has caught up: that has to be said
@test "a clock that is behind the kernel's time is told" {
	wv-token init --test
	issue --now 2026-01-01T03:00:30Z
	run -0 --separate-stderr "${issue[@]}" --now 2026-01-01T00:00:00Z
	[[ "$output" == *'"issued_at":"2026-01-01T03:00:30'* ]]
	[[ "$stderr" == *"the time of the kernel is 3 h 0 min 30 s ahead of the clock"* ]]
	[[ "$stderr" == *"make a new state"* ]]
	run -0 --separate-stderr "${issue[@]}" --now 2026-01-01T03:00:00Z
	[ -z "$stderr" ]
}

@test "an unwritable state is an error" {
	[ "$(id -u)" != 0 ] || skip "root can write anywhere"
	issue
	chmod 400 "$WV_STATE/kernel.db"
	fails_with 2 "read-only" "${issue[@]}"
	chmod 600 "$WV_STATE/kernel.db"
	chmod 500 "$WV_STATE"
	rm -f "$WV_STATE/kernel.db-shm" || :
	chmod 400 "$WV_STATE/audit.jsonl"
	fails_with 2 "Permission denied" "${issue[@]}"
	chmod 700 "$WV_STATE"
	chmod 600 "$WV_STATE/audit.jsonl"
	issue
	mkdir -m 500 closed
	fails_with 2 "Permission denied" "${issue[@]}" --state closed/state
}

@test "parallel writers make one chain (cases E43)" {
	for i in $(seq 40); do
		wv-token issue --principal "agent-$i" --scope a --ttl 1h \
			>"token-$i" 3>&- &
	done
	wait
	[ "$(cat token-* | sort -u | wc -l)" = 40 ]
	[ "$(wc -l <"$WV_STATE/audit.jsonl")" = 40 ]
	wv-trace verify
}

@test "one group a process: the write-ahead log stays near a megabyte" {
	# A checkpoint that did not empty it was forgotten with its process: each
	# next one read all of it, and it grew for ever.
	local i
	for ((i = 0; i < 250; i++)); do
		wv-token issue --principal agent-7 --scope org.demo.search \
			--ttl 1h >/dev/null
	done
	run -0 wv-token list
	[ "${#lines[@]}" -ge 250 ]
	[ "$(wc -c <"$WV_STATE/kernel.db-wal")" -lt $((256 * 4120 + 100000)) ]
	wv-trace verify
}
