// SPDX-License-Identifier: MIT
#include "os/bpf_progs.h"

#include "base/mem.h"

#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTIONS_MOST 4096

static int call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int look(int fd, struct bpf_prog_info *info)
{
	union bpf_attr a = {0};

	a.info.bpf_fd = (uint32_t)fd;
	a.info.info_len = sizeof(*info);
	a.info.info = (uintptr_t)info;
	return call(BPF_OBJ_GET_INFO_BY_FD, &a);
}

static bool place_of(int fd, void (*take)(void *ctx, const struct bpf_prog_place *p), void *ctx)
{
	struct bpf_prog_info first = {0}, info = {0};
	struct bpf_prog_place place;
	uint64_t *addresses;
	uint32_t *lengths, n;
	char name[BPF_OBJ_NAME_LEN + 1] = "";
	bool ok;

	if (look(fd, &first))
		return false;
	n = MIN(first.nr_jited_ksyms, first.nr_jited_func_lens);
	if (!n || n > FUNCTIONS_MOST)
		return false;
	addresses = mem_zero(n * sizeof(*addresses));
	lengths = mem_zero(n * sizeof(*lengths));
	info.nr_jited_ksyms = info.nr_jited_func_lens = n;
	info.jited_ksyms = (uintptr_t)addresses;
	info.jited_func_lens = (uintptr_t)lengths;
	ok = !look(fd, &info) && addresses[0];
	if (ok) {
		memcpy(name, info.name, BPF_OBJ_NAME_LEN);
		place = (struct bpf_prog_place){.id = info.id,
						.type = info.type,
						.name = name,
						.n = n,
						.addresses = addresses,
						.lengths = lengths};
		memcpy(place.tag, info.tag, sizeof(place.tag));
		take(ctx, &place);
	}
	free(addresses);
	free(lengths);
	return ok;
}

unsigned int bpf_progs_each(void (*take)(void *ctx, const struct bpf_prog_place *p), void *ctx)
{
	unsigned int n = 0;
	uint32_t id = 0;

	for (;;) {
		union bpf_attr next = {0}, open = {0};
		int fd;

		next.start_id = id;
		if (call(BPF_PROG_GET_NEXT_ID, &next))
			return n;
		id = next.next_id;
		open.prog_id = id;
		fd = call(BPF_PROG_GET_FD_BY_ID, &open);
		if (fd < 0)
			continue; /* it has just gone */
		n += place_of(fd, take, ctx);
		close(fd);
	}
}
