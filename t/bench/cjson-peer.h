/* SPDX-License-Identifier: Apache-2.0 */
/* cJSON's own parser, which json/json.h poisons, to be compared with. */
#ifndef WV_CJSON_PEER_H
#define WV_CJSON_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* Parses len bytes and frees the tree; true if nothing but white space was
 * left over. */
bool cjson_peer(const char *text, size_t len);

#endif
