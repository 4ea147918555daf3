/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/id.h"
#include "base/msg.h"

#include <string.h>

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
	return query_main(argc, argv);
}
