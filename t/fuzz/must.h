/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of any bytes. */
#ifndef WV_FUZZ_MUST_H
#define WV_FUZZ_MUST_H

#include <stdbool.h>
#include <stdlib.h>

static inline void
must(bool holds)
{
	if (!holds)
		abort();
}

#endif
