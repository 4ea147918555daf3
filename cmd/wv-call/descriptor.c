/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include "base/msg.h"
#include "firewall/descriptor.h"

static void
warn(void *arg, const char *pointer, const char *what)
{
	const struct tool *const *tool = arg;

	wv_warn("%s: %s %s", (*tool)->capability, pointer, what);
}

void
descriptor_warn(const struct tool *tool, const cJSON *listed)
{
	wv_descriptor_check(tool->entry, warn, &tool);
	wv_descriptor_check(listed, warn, &tool);
}
