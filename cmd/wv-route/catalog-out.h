/* SPDX-License-Identifier: Apache-2.0 */
/* --catalog-out: the catalogue as Capability lines, which are one again. */
#ifndef WV_ROUTE_CATALOG_OUT_H
#define WV_ROUTE_CATALOG_OUT_H

#include "base/file.h"
#include "contract/catalog.h"

/* In the order of the files.  Whatever form an entry came in, its line has id,
 * name, version, description and tags, and in its metadata x_wv_input_schema,
 * x_wv_safety and x_wv_fingerprint, as far as they are known. */
void catalog_out(const struct wv_catalog *catalog, struct wv_out *out);

#endif
