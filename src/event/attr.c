// SPDX-License-Identifier: MIT
#include "event/attr.h"

#include "base/cursor.h"

#include <string.h>

/*
 * Bit fields fill a byte from its lowest bit on little-endian machines and from its highest on
 * big-endian ones, the bytes being in the same order either way. So the bits of each byte are
 * reversed. The two bits of precise_ip, the only wider field, are then reversed and must be swapped
 * back.
 */
static uint64_t flags_of_other_order(uint64_t flags)
{
	uint64_t bits = 0, precise;

	for (int i = 0; i < 64; i++) {
		int byte = i / 8, bit = i % 8;

		if (flags >> (byte * 8 + 7 - bit) & 1)
			bits |= 1ull << i;
	}
	precise = bits & ATTR_PRECISE_MASK;
	if (precise == 1ull << ATTR_PRECISE_SHIFT || precise == 2ull << ATTR_PRECISE_SHIFT)
		bits ^= ATTR_PRECISE_MASK;
	return bits;
}

int attr_decode(struct attr *a, const void *p, uint32_t size, bool swap)
{
	uint8_t full[sizeof(*a)] = {0};
	struct cursor c = cursor_over(full, sizeof(full), swap);
	uint64_t flags;

	if (size < ATTR_SIZE_VER0)
		return -1;
	memcpy(full, p, size < sizeof(full) ? size : sizeof(full));
	memset(a, 0, sizeof(*a));
	a->type = cursor_u32(&c);
	a->size = cursor_u32(&c);
	a->config = cursor_u64(&c);
	a->sample_period = cursor_u64(&c);
	a->sample_type = cursor_u64(&c);
	a->read_format = cursor_u64(&c);
	memcpy(&flags, cursor_bytes(&c, sizeof(flags)), sizeof(flags));
	a->flags = swap ? flags_of_other_order(flags) : flags;
	a->wakeup_events = cursor_u32(&c);
	a->bp_type = cursor_u32(&c);
	a->config1 = cursor_u64(&c);
	a->config2 = cursor_u64(&c);
	a->branch_sample_type = cursor_u64(&c);
	a->sample_regs_user = cursor_u64(&c);
	a->sample_stack_user = cursor_u32(&c);
	a->clockid = (int32_t)cursor_u32(&c);
	a->sample_regs_intr = cursor_u64(&c);
	a->aux_watermark = cursor_u32(&c);
	a->sample_max_stack = cursor_u16(&c);
	a->reserved_2 = cursor_u16(&c);
	a->aux_sample_size = cursor_u32(&c);
	a->aux_action = cursor_u32(&c);
	a->sig_data = cursor_u64(&c);
	a->config3 = cursor_u64(&c);
	a->config4 = cursor_u64(&c);
	return 0;
}

/* struct attr has the ABI's own layout on this machine (asserted in attr.h), flags included. */
void attr_encode(const struct attr *a, void *p)
{
	memcpy(p, a, a->size < sizeof(*a) ? a->size : sizeof(*a));
}
