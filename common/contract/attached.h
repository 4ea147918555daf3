/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What contracts attach to a record, and members that nearly have a name of
 * its contract: both doubts.  Private to this folder.
 */
#ifndef WV_CONTRACT_ATTACHED_H
#define WV_CONTRACT_ATTACHED_H

#include "contract/found.h"

/* A Frame's metadata is an ExtendedFrameMetadata, a SelectableItem's an
 * ExtendedSelectableItemMetadata; metadata.telemetry is a TelemetryHint and
 * x_weaver_signature a CapabilityTokenSignature of any record.  null is
 * absent.  -1 and err if that could not be told. */
int wv_attached(struct wv_found *found, enum wv_contract type,
	const cJSON *record, const struct wv_place *place, struct wv_err *err);

/* near.c: of the record and what its contract describes within it. */
void wv_near_misses(
	struct wv_found *found, enum wv_contract type, const cJSON *record);

#endif
