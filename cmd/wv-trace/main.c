/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/id.h"
#include "base/msg.h"
#include "base/str.h"

#include <string.h>
#include <unistd.h>

/* A file is meant, unless there is none and a subcommand is close. */
static void
check_first(const char *word)
{
	static const char *const subcommands[] = { "append", "verify",
		"recover", NULL };
	const char *nearest = wv_nearest(word, subcommands);

	if (word[0] != '-' && nearest != NULL && access(word, F_OK) < 0)
		wv_die("no file and no subcommand '%s'; did you mean '%s'?",
			word, nearest);
}

int
main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;

	wv_msg_tool("wv-trace");
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	if (argc > 1 && strcmp(argv[1], "append") == 0)
		return append_main(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "verify") == 0)
		return verify_main(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "recover") == 0)
		return recover_main(argc - 1, argv + 1);
	if (argc > 1)
		check_first(argv[1]);
	return query_main(argc, argv);
}
