/* SPDX-License-Identifier: MIT */
/* What a sample accessed: by its instruction, else by the address of the data. */
#ifndef PROFILE_TABLE_DATA_ACCESS_H
#define PROFILE_TABLE_DATA_ACCESS_H

#include "probe/types/data_types.h"
#include "profile/samples/frame.h"

/* code: of the instruction; data: of the data address, NULL: it was not recorded. Where the
 * instruction does not tell the type, the variable at the data address does; the mnemonic is always
 * the instruction's. */
struct data_access data_access_of(struct data_types *types, const struct frame *code,
				  const struct frame *data);

#endif
