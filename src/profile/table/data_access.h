/* SPDX-License-Identifier: MIT */
/* What a sample accessed: by its instruction, else by the address of the data. */
#ifndef PROFILE_TABLE_DATA_ACCESS_H
#define PROFILE_TABLE_DATA_ACCESS_H

#include "probe/types/data_types.h"
#include "profile/samples/frame.h"

/* code: of the instruction; data: of the data address, NULL: it was not recorded. Where the
 * instruction does not tell the type, the variable at the data address does; the mnemonic is always
 * the instruction's. */
struct data_access data_access_of(struct data_types *types, const struct world *world,
				  const struct frame *code, const struct frame *data);
/* Appends the type, the offset in it, and the member there: "struct node +0x10 (pair.second)". */
void data_access_text(const struct data_types *types, const struct data_access *access,
		      struct buf *out);

#endif
