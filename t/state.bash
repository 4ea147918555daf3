# SPDX-License-Identifier: Apache-2.0
# Stores that another program made or damaged: `load state` after lib.

# "$sql" DATABASE <STATEMENTS; needs setup_file
build_sql() {
	export sql="$BATS_FILE_TMPDIR/sql"
	"${CC:-cc}" -o "$sql" "$BATS_TEST_DIRNAME/fault/sql.c" -lsqlite3 \
		2>/dev/null || rm -f "$sql"
}

need_sql() {
	[ -x "$sql" ] || skip "no C compiler, or no sqlite3 for it"
}

# What version 1, and then 2 and 3, kept of everything but tokens and the
# summit.
rows_of_1() {
	cat <<-END
	INSERT INTO claim VALUES('iss', 'tok-1'), ('', 'tok-2');
	INSERT INTO revoked_token VALUES('tok-3');
	INSERT INTO decision VALUES('d0', 'x', 'c', 'p', 't', NULL,
		1, 2, 3, 4, 0, NULL), ('d1', 'x', 'c', 'p', 't', 'tr',
		1, 2, 3, 4, 2, 'plan');
	END
}
rows_of_2() {
	cat <<-END
	INSERT INTO claim VALUES('iss', 'tok-1', 0, 0), ('', 'tok-2', 0, 0);
	INSERT INTO revoked_token VALUES('tok-3', 1, '', 0, 0);
	INSERT INTO decision VALUES('d0', 'x', 'c', 'p', 't', NULL, NULL, NULL,
		1, 2, 3, 4, 0, NULL), ('d1', 'x', 'c', 'p', 't', 'tr', NULL,
		NULL, 1, 2, 3, 4, 2, 'plan');
	END
}

rows_of_3() {
	rows_of_2
}

# old_state VERSION: the state as it left it: a token, token.json, in store
# and log, and a row of each kind; what it becomes is in the file `want`.
old_state() {
	local token summit columns='quote(id), quote(digest), quote(principal)'
	local rest='||||0|0|0|0|0' arguments=
	need_sql
	wv-token issue --principal agent-7 --scope org.demo.search --ttl 1h \
		>token.json
	[ "$1" = 1 ] || {
		columns+=", quote(issuer), quote(scope), quote(lineage),
			issued_sec, issued_nsec, until_sec, until_nsec, single_use"
		rest=
	}
	token=$("$sql" "$WV_STATE/kernel.db" <<<"SELECT $columns FROM token" |
		tr '|' ,)
	summit=$("$sql" "$WV_STATE/kernel.db" <<<"SELECT test, seq, end, len,
		quote(hash), newest_sec, newest_nsec FROM summit" | tr '|' ,)
	[ "$1" = 1 ] || summit+=", 0, '', 0, 0"
	[ "$1" -lt 3 ] || arguments=', NULL'
	rm "$WV_STATE"/kernel.db*
	(umask 077 && : >"$WV_STATE/kernel.db")
	{
		cat "$BATS_TEST_DIRNAME/data/store-$1.sql"
		"rows_of_$1"
		cat <<-END
		INSERT INTO summit VALUES(1, $summit);
		INSERT INTO token VALUES($token);
		INSERT INTO revoked_principal VALUES('p', 7, 8);
		INSERT INTO artifact VALUES('h', 'f', 'c', NULL, NULL, NULL,
			'x', NULL, 5, 0, 0$arguments);
		INSERT INTO hit VALUES('w', 1, 2, 3);
		COMMIT;
		END
	} | "$sql" "$WV_STATE/kernel.db" >/dev/null
	cat >want <<-END
	$(tr -d "'" <<<"$token" | sed 's/NULL//g' | tr , '|')$rest
	|tok-2|0|0
	iss|tok-1|0|0
	tok-3|1||0|0
	p|7|8
	d0|x|c|p|t||||1|2|3|4|0|
	d1|x|c|p|t|tr|||1|2|3|4|2|plan
	h|f|c||||x||5|0|0|
	w|1|2|3
	END
}

# dump_store DATABASE: everything in it but what every group writes
dump_store() {
	"$sql" "$1" <<-'END'
	SELECT * FROM token;
	SELECT * FROM claim;
	SELECT * FROM revoked_token;
	SELECT * FROM revoked_principal;
	SELECT * FROM revoked_key;
	SELECT * FROM decision;
	SELECT * FROM artifact;
	SELECT * FROM shown;
	SELECT * FROM hit;
	SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY 1;
	PRAGMA user_version;
	PRAGMA integrity_check;
	END
}
