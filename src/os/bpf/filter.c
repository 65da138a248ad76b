// SPDX-License-Identifier: MIT
#include "os/bpf/filter.h"

#include "base/mem.h"
#include "os/bpf/bpf.h"

#include <errno.h>
#include <fcntl.h>

#include <filter.lskel.h>

int bpf_filter_new(const struct bpf_filter_term *terms, size_t n, struct err *err)
{
	struct filter_bpf *k;
	int got, fd;

	if (n > BPF_FILTER_TERMS)
		return err_set(err, ERR_USAGE, "a filter over samples has at most %d terms",
			       BPF_FILTER_TERMS);
	k = filter_bpf__open();
	if (!k)
		return bpf_explain(err, errno, "filtering samples");
	k->rodata->n_terms = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		memcpy(&k->rodata->terms[i], &terms[i], sizeof(terms[i]));
	got = filter_bpf__load(k);
	fd = got ? -1 : fcntl(k->progs.on_sample.prog_fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		bpf_explain(err, got ? -got : errno, "filtering samples");
	if (got && got != -EPERM)
		err_hint(err,
			 "Filters over samples need Linux 6.4 or later with its type information "
			 "(CONFIG_DEBUG_INFO_BTF).");
	filter_bpf__destroy(k);
	return fd;
}
