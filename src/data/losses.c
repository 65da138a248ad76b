// SPDX-License-Identifier: MIT
#include "data/losses.h"

#include "base/mem.h"

void losses_add(struct losses *l, enum loss_kind kind, uint64_t amount, uint64_t offset)
{
	if (!l->kind[kind].times++ || offset < l->kind[kind].offset)
		l->kind[kind].offset = offset;
	l->kind[kind].amount += amount;
}

void losses_merge(struct losses *l, const struct losses *part)
{
	for (int kind = 0; kind < LOSS_KINDS; kind++) {
		if (!part->kind[kind].times)
			continue;
		if (!l->kind[kind].times || part->kind[kind].offset < l->kind[kind].offset)
			l->kind[kind].offset = part->kind[kind].offset;
		l->kind[kind].times += part->kind[kind].times;
		l->kind[kind].amount += part->kind[kind].amount;
	}
	l->samples_counted |= part->samples_counted;
}

bool losses_any(const struct losses *l)
{
	for (int i = 0; i < LOSS_KINDS; i++)
		if (i != LOSS_UNRESOLVED && i != LOSS_CHAIN_BARE && l->kind[i].times)
			return true;
	return false;
}

bool losses_records(const struct losses *l)
{
	static const enum loss_kind kinds[] = {LOSS_EVENTS,	   LOSS_SAMPLES,    LOSS_CORRUPT,
					       LOSS_SKIPPED_BYTES, LOSS_TRUNCATED,  LOSS_STREAM_CUT,
					       LOSS_UNFINISHED,	   LOSS_DECOMPRESS, LOSS_ORDER};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (l->kind[kinds[i]].times)
			return true;
	return false;
}

bool losses_damage(const struct losses *l)
{
	static const enum loss_kind damage[] = {
		LOSS_CORRUPT,	 LOSS_SKIPPED_BYTES, LOSS_TRUNCATED,
		LOSS_UNFINISHED, LOSS_UNKNOWN_EVENT, LOSS_FEATURE,
		LOSS_DECOMPRESS, LOSS_CHECKSUM,	     LOSS_EXPANDED,
	};

	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++)
		if (l->kind[damage[i]].times)
			return true;
	return false;
}

/* The words of each kind, and whether the count before them is .times or .amount. */
static const struct {
	const char *one, *many;
	bool amount;
} told[LOSS_KINDS] = {
	[LOSS_EVENTS] = {"event lost", "events lost", true},
	[LOSS_SAMPLES] = {"sample lost", "samples lost", true},
	[LOSS_THROTTLED] = {"throttling", "throttlings", false},
	[LOSS_AUX] = {"truncated AUX stretch", "truncated AUX stretches", false},
	[LOSS_CORRUPT] = {"damaged record", "damaged records", false},
	[LOSS_EMPTY] = {"empty record", "empty records", false},
	[LOSS_SKIPPED_BYTES] = {"byte of damage skipped", "bytes of damage skipped", true},
	[LOSS_CHECKSUM] = {"stretch of data not as it was written",
			   "stretches of data not as they were written", false},
	[LOSS_STREAM_CUT] = {"byte of a record at the end of the stream",
			     "bytes of a record at the end of the stream", true},
	[LOSS_TRUNCATED] = {"byte missing at the end", "bytes missing at the end", true},
	[LOSS_UNFINISHED] = {"recording was never finished", "recordings were never finished",
			     false},
	[LOSS_UNKNOWN_TYPE] = {"record of unknown type", "records of unknown type", false},
	[LOSS_UNKNOWN_FEATURE] = {"header feature of an unknown kind",
				  "header features of an unknown kind", false},
	[LOSS_UNKNOWN_EVENT] = {"record of no known event", "records of no known event", false},
	[LOSS_FEATURE] = {"header feature unreadable", "header features unreadable", false},
	[LOSS_DECOMPRESS] = {"compressed chunk unreadable", "compressed chunks unreadable", false},
	[LOSS_EXPANDED] = {"compressed chunk dropped that expands without end",
			   "compressed chunks dropped that expand without end", false},
	[LOSS_ORDER] = {"record out of order", "records out of order", false},
	[LOSS_UNRESOLVED] = {"frame has no name", "frames have no name", true},
	[LOSS_UNWIND] = {"stack not unwound to its end", "stacks not unwound to their end", false},
	[LOSS_PROC_MAPS] = {"process with incomplete maps", "processes with incomplete maps",
			    false},
	[LOSS_CHAIN_CUT] =
		{"call chain cut at the greatest depth (--max-stack, kernel.perf_event_max_stack)",
		 "call chains cut at the greatest depth (--max-stack, kernel.perf_event_max_stack)",
		 true},
};

/* The count before a kind's words. */
static uint64_t told_count(const struct losses *l, int kind)
{
	uint64_t n = told[kind].amount ? l->kind[kind].amount : l->kind[kind].times;

	if (kind == LOSS_EVENTS && l->samples_counted)
		n -= MIN(n, l->kind[LOSS_SAMPLES].amount);
	return n;
}

void losses_add_stacks(struct losses *l, enum unwind_end end, uint64_t n)
{
	if (!n || end == UNWIND_OUTERMOST)
		return;
	l->kind[LOSS_UNWIND].times += n;
	l->kind[LOSS_UNWIND].amount += n;
	l->ends[end] += n;
}

void losses_add_frames(struct losses *l, const uint64_t frames[NAMELESS_KINDS])
{
	for (int why = 0; why < NAMELESS_KINDS; why++) {
		l->frames += frames[why];
		l->nameless[why] += frames[why];
		if (why != NAMELESS_NOT && frames[why])
			losses_add(l, LOSS_UNRESOLVED, frames[why], 0);
	}
}

void losses_add_bare(struct losses *l, uint64_t bare, uint64_t chains)
{
	l->chains += chains;
	if (bare)
		losses_add(l, LOSS_CHAIN_BARE, bare, 0);
}

/* True when a kind has a count that is worth a line. A few chains without callers are in most
 * recordings: in libraries, and where threads begin. */
static bool is_worth_telling(const struct losses *l, int kind)
{
	const uint64_t n = l->kind[kind].amount;

	return l->kind[kind].times && (kind != LOSS_CHAIN_BARE || n * 20 >= l->chains);
}

/* Shows call chains without callers. The hint is left out when their frames have given it
 * already. */
static void show_bare(const struct losses *l, struct buf *out)
{
	buf_printf(out, "%.1f %% of call chains show no caller in user space",
		   100.0 * (double)l->kind[LOSS_CHAIN_BARE].amount / (double)l->chains);
	if (!l->nameless[NAMELESS_NO_CODE])
		buf_str(out, " (no frame pointers: record with --call-graph dwarf)");
}

/* True for less than 0.1 %. */
static bool is_small_share(uint64_t part, uint64_t all)
{
	return (double)part * 1000 < (double)all;
}

/* "4.1 %"; a part that is not 0 is never shown as 0.0 %. */
static void show_share(uint64_t part, uint64_t all, struct buf *out)
{
	if (is_small_share(part, all))
		buf_str(out, "under 0.1 %");
	else
		buf_printf(out, "%.1f %%", 100.0 * (double)part / (double)all);
}

/* Shows the reasons of frames without names: those of 0.1 % and more each with its share, or the
 * small ones behind one share. Returns what stands before the next reason. */
static const char *show_reasons(const struct losses *l, bool small, const char *before,
				struct buf *out)
{
	const uint64_t all = l->kind[LOSS_UNRESOLVED].amount;

	for (int why = NAMELESS_NOT + 1; why < NAMELESS_KINDS; why++) {
		const uint64_t n = l->nameless[why];

		if (!n || is_small_share(n, l->frames) != small)
			continue;
		buf_str(out, before);
		if (n < all && *before != ',' && !is_small_share(all, l->frames)) {
			show_share(n, l->frames, out);
			buf_str(out, ": ");
		}
		buf_str(out, nameless_text((enum nameless)why));
		before = small ? ", " : "; ";
	}
	return before;
}

/* "4.1 % of frames have no name (3.0 %: stripped files; 1.1 %: between the symbols of their
 * files)"; a single reason, and reasons of next to nothing, are shown without a share. */
static void show_nameless(const struct losses *l, struct buf *out)
{
	const char *before = " (";

	show_share(l->kind[LOSS_UNRESOLVED].amount, l->frames, out);
	buf_str(out, " of frames have no name");
	before = show_reasons(l, false, before, out);
	before = show_reasons(l, true, before, out);
	buf_str(out, *before == ' ' ? "" : ")");
}

/* " (30: the copy of the stack was too short; 5: damaged frames)" */
static void show_ends(const struct losses *l, struct buf *out)
{
	const char *before = " (";

	for (int end = 0; end < UNWIND_ENDS; end++) {
		if (!l->ends[end])
			continue;
		buf_str(out, before);
		buf_dec(out, l->ends[end]);
		buf_str(out, ": ");
		buf_str(out, unwind_end_text((enum unwind_end)end));
		before = "; ";
	}
	buf_str(out, *before == ';' ? ")" : "");
}

void losses_show(const struct losses *l, struct buf *out)
{
	const char *comma = "";

	for (int i = 0; i < LOSS_KINDS; i++) {
		uint64_t n = told_count(l, i);

		if (!is_worth_telling(l, i) || (i == LOSS_EVENTS && !n))
			continue;
		buf_str(out, comma);
		comma = ", ";
		if (i == LOSS_CHAIN_BARE) {
			show_bare(l, out);
			continue;
		}
		if (i == LOSS_UNRESOLVED && l->frames) {
			show_nameless(l, out);
			continue;
		}
		buf_dec(out, n);
		buf_char(out, ' ');
		buf_str(out, n == 1 ? told[i].one : told[i].many);
		if (i == LOSS_UNWIND)
			show_ends(l, out);
	}
}
