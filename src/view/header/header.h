/* SPDX-License-Identifier: MIT */
/*
 * What the header of a recording says, as `report --header` and `script --header` print it.
 */
#ifndef VIEW_HEADER_H
#define VIEW_HEADER_H

#include "data/recording.h"
#include "view/out/out.h"

/*
 * From "# ========" to "# ========" and "#". full (-I) shows the long features too: topology,
 * caches, memory. For a pipe only these frame lines are shown: its features come as records.
 */
void header_show(const struct recording *rec, bool full, struct out *out);
/* Shows one feature of a pipe, when its record is read; nothing for features without a text. */
void header_feature_show(const struct recording *rec, unsigned int bit, bool full, struct out *out);
/* header_bpf.c: the features BPF_PROG_INFO and BPF_BTF. */
void header_bpf_programs(const struct recording *rec, struct buf *b);
void header_bpf_types(const struct recording *rec, struct buf *b);

/* Adds a line when the recording is self-contained (symbol/contained/contained.h). */
void header_contained_show(const struct recording *rec, struct buf *b);

#endif
