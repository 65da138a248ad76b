// SPDX-License-Identifier: MIT
#include "selftest/selftest.h"

#include "event/attr.h"
#include "os/machine/kallsyms.h"
#include "os/machine/pmu.h"
#include "os/perf.h"
#include "os/rights/rights.h"
#include "os/ring.h"
#include "symbol/dso.h"
#ifdef HAVE_BPF
#include "os/bpf/bpf.h"
#endif

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_FAULTS 2 /* PERF_COUNT_SW_PAGE_FAULTS */
#define PAGES	    64

static int machine_open_event(struct attr *a)
{
	uint8_t bytes[sizeof(*a)];

	a->size = sizeof(*a);
	a->flags |= ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_DISABLED;
	attr_encode(a, bytes);
	return perf_open(bytes, 0, -1, -1, 0);
}

static enum selftest_verdict cannot_open(struct selftest_run *r, int got)
{
	if (got == -EACCES || got == -EPERM)
		return selftest_skip(r,
				     "perf_event_paranoid is %d, and there is no CAP_PERFMON: %s",
				     rights_paranoid("/proc"), strerror(-got));
	return selftest_skip(r, "this machine has no such event: %s", strerror(-got));
}

/* Each page of fresh memory faults once, whatever else happens. */
static bool touch_pages(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (at == MAP_FAILED)
		return false;
	madvise(at, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		((volatile char *)at)[i * page] = 1;
	munmap(at, PAGES * page);
	return true;
}

static enum selftest_verdict count_faults(struct selftest_run *r)
{
	struct attr a = {.type = TYPE_SOFTWARE, .config = PAGE_FAULTS};
	int fd = machine_open_event(&a);
	uint64_t n = 0;
	bool counted;

	if (fd < 0)
		return cannot_open(r, fd);
	counted = !perf_enable(fd) && touch_pages() && !perf_disable(fd) &&
		  perf_read(fd, &n, 1) == sizeof(n);
	close(fd);
	selftest_say(r, "%llu page faults of %d pages", (unsigned long long)n, PAGES);
	if (!counted)
		return selftest_fail(r, "the counter cannot be started or read");
	return n >= PAGES && n < PAGES + 32
		       ? SELFTEST_OK
		       : selftest_fail(r, "%llu page faults, where %d pages were touched",
				       (unsigned long long)n, PAGES);
}

static uint64_t machine_count_samples(struct ring *ring)
{
	uint64_t n = 0, head = ring_head(ring), at = ring->tail;

	while (at < head) {
		struct {
			uint32_t type;
			uint16_t misc, size;
		} h;
		uint8_t copy[sizeof(h)];

		memcpy(&h, ring_peek(ring, at, sizeof(h), copy), sizeof(h));
		if (h.size < sizeof(h))
			break;
		n += h.type == 9; /* PERF_RECORD_SAMPLE */
		at += h.size;
	}
	ring_consume(ring, at);
	return n;
}

/* A ring of two pages takes 100 samples of 24 bytes at a time, and comes around several times. */
static enum selftest_verdict sample_into_ring(struct selftest_run *r)
{
	struct attr a = {.type = TYPE_SOFTWARE, .config = PAGE_FAULTS, .sample_period = 1,
			 .sample_type = SAMPLE_IP | SAMPLE_TID};
	int fd = machine_open_event(&a), got = 0;
	struct ring ring = {0};
	uint64_t samples = 0;

	if (fd < 0)
		return cannot_open(r, fd);
	got = ring_open(&ring, fd, 2 * (size_t)sysconf(_SC_PAGESIZE), false);
	if (got) {
		close(fd);
		return selftest_skip(r, "a ring cannot be mapped: %s", strerror(-got));
	}
	perf_enable(fd);
	for (int i = 0; i < 10; i++) {
		touch_pages();
		samples += machine_count_samples(&ring);
	}
	perf_disable(fd);
	samples += machine_count_samples(&ring);
	ring_close(&ring);
	close(fd);
	selftest_say(r, "%llu samples of %d page faults", (unsigned long long)samples, 10 * PAGES);
	return samples >= 10 * PAGES ? SELFTEST_OK
				     : selftest_fail(r, "%llu samples of %d page faults",
						     (unsigned long long)samples, 10 * PAGES);
}

static enum selftest_verdict count_accesses(struct selftest_run *r)
{
	static const char zero;
	volatile char watched = zero;
	struct attr a = {.type = TYPE_BREAKPOINT,
			 .bp_type = 2 /* writes */,
			 .config1 = (uintptr_t)&watched,
			 .config2 = 1};
	int fd = machine_open_event(&a);
	uint64_t n = 0;

	if (fd < 0)
		return cannot_open(r, fd);
	perf_enable(fd);
	for (int i = 0; i < 37; i++)
		watched = (char)i;
	perf_disable(fd);
	perf_read(fd, &n, 1);
	close(fd);
	selftest_say(r, "%llu writes seen of 37", (unsigned long long)n);
	if (!n)
		return selftest_skip(r, "this machine accepts breakpoints, but none is hit");
	return n == 37 ? SELFTEST_OK
		       : selftest_fail(r, "%llu writes seen of 37", (unsigned long long)n);
}

static enum selftest_verdict read_kernel_symbols(struct selftest_run *r)
{
	struct kallsyms k = {0};
	struct err err = {0};
	enum selftest_verdict verdict = SELFTEST_OK;
	char why[200];

	if (kallsyms_read(&k, kallsyms_live, &err))
		verdict = selftest_skip(r, "%s", err.text);
	else if (k.hidden) {
		rights_kernel_unseen("/proc", why, sizeof(why));
		verdict = selftest_skip(r, "addresses are %s", why);
	} else if (k.symbols.n < 1000 || !kallsyms_address(&k, "_text") ||
		   !kallsyms_address(&k, "schedule"))
		verdict = selftest_fail(r, "%zu symbols, and _text or schedule is not among them",
					k.symbols.n);
	selftest_say(r, "%zu symbols", k.symbols.n);
	kallsyms_release(&k);
	return verdict;
}

static enum selftest_verdict read_pmus(struct selftest_run *r)
{
	struct arena arena = {0};
	struct names names = {0};
	struct err err = {0};
	size_t bad = 0;

	if (pmu_names(PMU_ROOT, &arena, &names, &err)) {
		arena_release(&arena);
		return selftest_skip(r, "%s", err.text);
	}
	for (size_t i = 0; i < names.n; i++) {
		struct pmu pmu = {0};

		if (pmu_read(PMU_ROOT, names.at[i], &arena, &pmu))
			selftest_say(r, "%s: type %u, %zu terms", names.at[i], pmu.type,
				     pmu.formats.n);
		else
			bad++;
		pmu_release(&pmu);
	}
	vec_release(&names);
	arena_release(&arena);
	return bad ? selftest_fail(r, "%zu PMUs cannot be read", bad) : SELFTEST_OK;
}

#ifdef HAVE_BPF
static enum selftest_verdict load_program(struct selftest_run *r)
{
	static const struct bpf_insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd;

	if (!bpf_allowed())
		return selftest_skip(
			r, "this user may not load BPF programs (CAP_BPF and CAP_PERFMON)");
	fd = bpf_program_new(&(const struct bpf_program_parts){.type = BPF_PROG_TYPE_TRACEPOINT,
								.insns = nothing,
								.n = ARRAY_SIZE(nothing),
								.licence = "GPL",
								.name = "selftest"});
	if (fd < 0)
		return selftest_skip(r, "the kernel loads no BPF program: %s", strerror(-fd));
	close(fd);
	return SELFTEST_OK;
}
#else
static enum selftest_verdict load_program(struct selftest_run *r)
{
	return selftest_skip(r, "perf was built without BPF");
}
#endif

const struct selftest selftests_machine[] = {
	{"Count page faults", count_faults},
	{"Sample into a ring buffer", sample_into_ring},
	{"Breakpoint accounting", count_accesses},
	{"Symbols of the kernel", read_kernel_symbols},
	{"PMUs of sysfs", read_pmus},
	{"Load a BPF program", load_program},
	{0},
};
