/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sql DATABASE: runs the SQL of standard input and prints what it selects, a
 * row a line, its columns between |.  For tests that need a store which
 * another program made, or damaged.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static int
print(void *arg, int n, char **values, char **names)
{
	(void)arg;
	(void)names;
	for (int i = 0; i < n; i++)
		printf("%s%s", i > 0 ? "|" : "", values[i] ? values[i] : "");
	putchar('\n');
	return 0;
}

int
main(int argc, char **argv)
{
	static char sql[1 << 16];
	char *why = NULL;
	sqlite3 *db;

	size_t n = fread(sql, 1, sizeof(sql) - 1, stdin);
	sql[n] = '\0';
	if (argc != 2 || sqlite3_open(argv[1], &db) != SQLITE_OK)
		return 2;
	if (sqlite3_exec(db, sql, print, NULL, &why) != SQLITE_OK) {
		fprintf(stderr, "sql: %s\n", why);
		return 1;
	}
	return sqlite3_close(db) == SQLITE_OK ? 0 : 2;
}
