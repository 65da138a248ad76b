// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

extern const struct cmd cmd_version;

const struct cmd *const commands[] = {
	&cmd_version,
	NULL,
};
