/* SPDX-License-Identifier: MIT */
/*
 * What the header of a recording says, as `report --header` and `script --header` print it.
 */
#ifndef VIEW_HEADER_H
#define VIEW_HEADER_H

#include "data/recording.h"
#include "view/out.h"

/*
 * From "# ========" to "# ========" and "#". full (-I) shows the long ones too: topology, caches,
 * memory. Of a pipe it is only the frame: its features come with its records.
 */
void header_show(const struct recording *rec, bool full, struct out *out);
/* One feature, as it is shown when its record comes by in a pipe; nothing for those without
 * a text. */
void header_feature_show(const struct recording *rec, unsigned int bit, bool full, struct out *out);
/* Those of BPF_PROG_INFO and BPF_BTF: header_bpf.c. */
void header_bpf_programs(const struct recording *rec, struct buf *b);
void header_bpf_types(const struct recording *rec, struct buf *b);

#endif
