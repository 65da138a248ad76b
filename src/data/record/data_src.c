// SPDX-License-Identifier: MIT
#include "data/record/data_src.h"

#include "base/mem.h"

#define NOT_AVAILABLE 1 /* the first bit of every part but the numbers */
#define HIT	      2 /* of a level or a TLB */
#define MISS	      4

/* Appends the names of the bits that are set, with " or " between. any: a name was appended before.
 * True when one was, now or before. */
static bool bit_names(uint64_t bits, const char *const *names, size_t n, bool any, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (!(bits & 1ull << i) || !names[i])
			continue;
		if (any)
			buf_str(out, " or ");
		buf_str(out, names[i]);
		any = true;
	}
	return any;
}

static void hit_miss(uint64_t bits, struct buf *out)
{
	if (bits & HIT)
		buf_str(out, " hit");
	if (bits & MISS)
		buf_str(out, " miss");
}

void data_src_op(uint64_t v, struct buf *out)
{
	static const char *const names[] = {"N/A", "LOAD", "STORE", "PFETCH", "EXEC"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (DATA_SRC_OP(v) & 1ull << i) {
			buf_str(out, names[i]);
			return;
		}
	}
	buf_str(out, "No");
}

void data_src_level(uint64_t v, struct buf *out)
{
	static const char *const names[] = {"N/A", NULL, NULL, "L1", "LFB/MAB", "L2", "L3",
		"Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)", "Remote Cache (1 hop)",
		"Remote Cache (2 hops)", "I/O", "Uncached"};
	static const char *const numbers[16] = {[9] = "CXL", [10] = "I/O", [11] = "Any cache",
		[12] = "LFB/MAB", [13] = "RAM", [14] = "PMEM", [15] = "N/A"};
	static const char *const hops[8] = {NULL, "core, same node ", "node, same socket ",
		"socket, same board ", "board ", "hop 5 ", "hop 6 ", "hop 7 "};
	uint64_t number = DATA_SRC_LEVEL_NUM(v);
	size_t before = out->n;
	bool any = false;

	if (DATA_SRC_REMOTE(v))
		buf_str(out, "Remote ");
	if (DATA_SRC_HOPS(v)) /* in place of the bits for levels */
		buf_str(out, hops[DATA_SRC_HOPS(v)]);
	else
		any = bit_names(DATA_SRC_LEVEL(v), names, ARRAY_SIZE(names), false, out);
	if (number) {
		if (any)
			buf_str(out, " or ");
		if (numbers[number])
			buf_str(out, numbers[number]);
		else
			buf_printf(out, "L%u", (unsigned int)number);
	}
	if (out->n == before)
		buf_str(out, "N/A");
	hit_miss(DATA_SRC_LEVEL(v), out);
}

void data_src_snoop(uint64_t v, struct buf *out)
{
	static const char *const names[] = {"N/A", "None", "Hit", "Miss", "HitM"};
	static const char *const more[] = {"Fwd", "Peer"};
	bool any = bit_names(DATA_SRC_SNOOP(v), names, ARRAY_SIZE(names), false, out);

	if (!bit_names(DATA_SRC_SNOOPX(v), more, ARRAY_SIZE(more), any, out))
		buf_str(out, "N/A");
}

void data_src_tlb(uint64_t v, struct buf *out)
{
	static const char *const names[] = {"N/A", NULL, NULL, "L1", "L2", "Walker", "Fault"};

	if (!bit_names(DATA_SRC_TLB(v), names, ARRAY_SIZE(names), false, out))
		buf_str(out, "N/A");
	hit_miss(DATA_SRC_TLB(v), out);
}

void data_src_lock(uint64_t v, struct buf *out)
{
	uint64_t lock = DATA_SRC_LOCK(v);

	buf_str(out, lock & NOT_AVAILABLE ? "N/A" : lock ? "Yes" : "No");
}

void data_src_blocked(uint64_t v, struct buf *out)
{
	uint64_t blocked = DATA_SRC_BLOCKED(v);

	if (!blocked || (blocked & NOT_AVAILABLE)) {
		buf_str(out, " N/A");
		return;
	}
	if (blocked & 2)
		buf_str(out, " Data");
	if (blocked & 4)
		buf_str(out, " Addr");
}

void data_src_text(uint64_t v, struct buf *out)
{
	static const struct {
		const char *title;
		void (*show)(uint64_t v, struct buf *out);
	} parts[] = {{"|OP ", data_src_op},	{"|LVL ", data_src_level},
		     {"|SNP ", data_src_snoop}, {"|TLB ", data_src_tlb},
		     {"|LCK ", data_src_lock},	{"|BLK ", data_src_blocked}};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		buf_str(out, parts[i].title);
		parts[i].show(v, out);
	}
}

void data_page_size_text(uint64_t v, struct buf *out)
{
	static const char units[] = "BKMGTPE";
	int unit = 0;

	if (!v) {
		buf_str(out, "N/A");
		return;
	}
	while (!(v & 1023) && unit < 6) {
		v >>= 10;
		unit++;
	}
	buf_dec(out, v);
	buf_char(out, units[unit]);
}
