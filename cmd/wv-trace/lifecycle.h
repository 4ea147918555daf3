/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the events of a log fit together: what ran was authorized before,
 * once, and ran once; a Frame that was redacted, or has a Handle, went through
 * the firewall; a flow's steps begin and end once within their leg, and a leg
 * ends once.  Only events of the kernel are believed: not what others had
 * appended.
 */
#ifndef WV_TRACE_LIFECYCLE_H
#define WV_TRACE_LIFECYCLE_H

#include "walk.h"

struct lifecycle;
struct lifecycle *lifecycle_new(void);
struct watch *lifecycle_watch(struct lifecycle *lifecycle);
void lifecycle_on(struct lifecycle *lifecycle, struct walk *walk);
/* Before walk_end().  False: more than THINGS_MOST were open at once, and what
 * came then was not judged; that is told. */
bool lifecycle_end(struct lifecycle *lifecycle);
void lifecycle_free(struct lifecycle *lifecycle);

#endif
