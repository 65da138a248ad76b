// SPDX-License-Identifier: MIT
#include "view/header/header.h"

#include "data/feature/bpf_info.h"

void header_bpf_programs(const struct recording *rec, struct buf *b)
{
	struct bpf_programs programs = {0};

	bpf_programs_read(&programs, rec);
	for (size_t i = 0; i < programs.list.n; i++) {
		const struct bpf_program *p = &programs.list.at[i];

		if (p->n != 1)
			buf_printf(b, "# bpf_prog_info %u:\n", p->id);
		for (uint32_t k = 0; k < p->n; k++) {
			if (p->n == 1)
				buf_printf(b, "# bpf_prog_info %u: ", p->id);
			else
				buf_printf(b, "# \tsub_prog %u: ", k);
			buf_safe(b, p->functions[k].name);
			buf_printf(b, " addr 0x%llx size %u\n",
				   (unsigned long long)p->functions[k].address,
				   p->functions[k].size);
		}
	}
	bpf_programs_release(&programs);
}

void header_bpf_types(const struct recording *rec, struct buf *b)
{
	uint32_t *ids;
	size_t n = bpf_types_read(rec, &ids);

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "# btf info of id %u\n", ids[i]);
	free(ids);
}
