/* SPDX-License-Identifier: MIT */
/*
 * The bytes that a page carries, before compression:
 *
 *   u32 little-endian   bytes of the head
 *   the head            JSON: what is recorded, strings, threads, events, and the columns that
 *                       follow
 *   columns             one after the other, each number in LEB128
 *
 * "code" of the head: the hottest functions, each with "func" (its index), "file" (where its code
 * is from) and "lines": label (address or line number), text, share of the periods of all samples.
 *
 * Columns are named in the head, with how many numbers ("n") each has. A column with "same" has no
 * bytes: all of its numbers are that one.
 *
 *   func.name, func.dso  indices of strings
 *   func.kind            enum stack_kind
 *   node.func            of each node of the tree of stacks; of node 0, the root, it means nothing
 *   node.parent          how many nodes before it its parent stands; 0 for the root
 *   eventN.time          ns after the sample before it, the first one after the start; none
 *                        without times
 *   eventN.node          where it was
 *   eventN.thread        index of threads
 *   eventN.cpu           CPU + 1; 0: not recorded
 *   eventN.weight        sum of periods
 *   eventN.count         samples
 *   eventN.side          0 or 1; none where one recording is shown
 *
 * Of a wall-clock profile, and of context switches, "lanes" of the head lists threads (pid, tid,
 * comm), and these columns tell what they did, by lane and then by time; spans shorter than times
 * are exact are left out:
 *
 *   lane.at              index of lanes
 *   lane.time            ns after the begin of the span before it in the same lane; the first one
 *                        after the start
 *   lane.ns              how long
 *   lane.state           enum wall_state
 *   lane.reason, lane.function   1 + index of strings; 0: not known
 *   lane.waker           0: none; 1: an interrupt; else 2 + index of lanes
 *
 * Numbers below 2^53: what JavaScript counts exactly.
 */
#ifndef VIEW_PAGE_DATA_H
#define VIEW_PAGE_DATA_H

#include "base/buf.h"
#include "view/export/export.h"

void page_data(const struct export_input *page, struct buf *out);

#endif
