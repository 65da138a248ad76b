// SPDX-License-Identifier: MIT
/*
 * step -o RECORDING -t TRUTH [-n SAMPLES] [-e STEPS] [-s SEED] [-k BYTES] PROGRAM [ARGUMENT...]
 *
 * Executes a program one instruction at a time from its entry on, and keeps the true stack of its
 * return addresses. At random instants, STEPS apart on average, its registers and up to BYTES of
 * its stack become a sample of the recording, and its true call chain a line of TRUTH, as `perf
 * script -F ip` shows addresses. Prints the numbers of steps and samples. Status 77: the machine
 * cannot.
 */
#include "shadow.h"

#include "data/sink.h"
#include "os/proc/proc.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

#define CODE_BITS  16
#define MAX_FRAMES 1024
#define REGISTERS  0xff0fffull /* perf's ax to flags, cs, ss; r8 to r15 */
#define SYSCALL_MMAP   9
#define SYSCALL_MUNMAP 11

/* What is known of an instruction. */
struct code {
	uint64_t ip;
	uint8_t kind, length;
};

struct stepper {
	const char *out, *truth_path;
	uint64_t samples_wanted, apart, seed, stack_most;
	pid_t pid;
	FILE *truth;
	struct sink *sink;
	struct event_set events;
	struct shadow shadow;
	struct user_regs_struct regs;
	struct code code[1 << CODE_BITS];
	VEC(struct told_map { uint64_t start, end, offset; }) maps;
	uint64_t steps, samples, next;
	uint8_t stack[65000];
	struct err err;
};

static uint64_t random_number(struct stepper *s)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 7;
	s->seed ^= s->seed << 17;
	return s->seed;
}

static size_t read_memory(const struct stepper *s, uint64_t at, void *to, size_t n)
{
	const struct iovec mine = {to, n};
	/* a page that isn't there ends the read, not the pages before it */
	size_t first = MIN(n, (size_t)(4096 - at % 4096)), parts = 0;
	struct iovec theirs[18];
	ssize_t got;

	for (size_t from = 0; from < n && parts < ARRAY_SIZE(theirs); parts++) {
		size_t m = parts ? MIN(n - from, (size_t)4096) : first;

		theirs[parts] = (struct iovec){(void *)(uintptr_t)(at + from), m};
		from += m;
	}
	got = process_vm_readv(s->pid, &mine, 1, theirs, parts, 0);
	return got < 0 ? 0 : (size_t)got;
}

static uint64_t read_word(const struct stepper *s, uint64_t at)
{
	uint64_t v = 0;

	return read_memory(s, at, &v, sizeof(v)) == sizeof(v) ? v : 0;
}

struct place {
	uint64_t address, low, high;
};

static bool is_there(void *ctx, const struct proc_map *m)
{
	struct place *p = ctx;

	if (p->address < m->start || p->address >= m->end)
		return true;
	p->low = m->start;
	p->high = m->end;
	return false;
}

static bool find_place(void *ctx, uint64_t address, uint64_t *low, uint64_t *high)
{
	const struct proc_maps_options opts = {.data = true, .text_only = true};
	const struct stepper *s = ctx;
	struct place p = {.address = address};

	proc_maps("/proc", s->pid, &opts, is_there, &p);
	*low = p.low;
	*high = p.high;
	return p.high;
}

static void put(struct stepper *s, struct record *r)
{
	r->header.misc = MISC_USER;
	if (sink_put_record(s->sink, r, &s->err)) {
		fprintf(stderr, "step: %s\n", s->err.text);
		exit(1);
	}
}

static bool tell_map(void *ctx, const struct proc_map *m)
{
	struct stepper *s = ctx;
	struct record r = {.header = {.type = RECORD_MMAP2},
			   .mmap = {.pid = (uint32_t)s->pid,
				    .tid = (uint32_t)s->pid,
				    .addr = m->start,
				    .len = m->end - m->start,
				    .pgoff = m->offset,
				    .maj = m->maj,
				    .min = m->min,
				    .ino = m->ino,
				    .prot = m->prot,
				    .flags = m->flags,
				    .filename = m->name[0] ? m->name : "//anon"}};

	for (size_t i = 0; i < s->maps.n; i++)
		if (s->maps.at[i].start == m->start)
			return true;
	vec_add(&s->maps, (struct told_map){m->start, m->end, m->offset});
	put(s, &r);
	return true;
}

static void tell_maps(struct stepper *s)
{
	const struct proc_maps_options opts = {.text_only = true};

	proc_maps("/proc", s->pid, &opts, tell_map, s);
}

static void begin_recording(struct stepper *s)
{
	const struct sink_options opts = {.path = s->out};
	struct record comm = {
		.header = {.type = RECORD_COMM},
		.comm = {.pid = (uint32_t)s->pid, .tid = (uint32_t)s->pid, .comm = "stepped"}};
	static const char arch[] = "\x08\0\0\0x86_64\0";
	struct event *ev = event_set_add(&s->events, "cpu-clock");

	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .size = ATTR_SIZE_6_1,
				 .sample_period = 1,
				 .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
						SAMPLE_CALLCHAIN | SAMPLE_REGS_USER |
						SAMPLE_STACK_USER,
				 .flags = ATTR_EXCLUDE_CALLCHAIN_USER,
				 .sample_regs_user = REGISTERS,
				 .sample_stack_user = (uint32_t)s->stack_most};
	event_set_add_id(&s->events, ev, 1);
	s->sink = sink_open(&opts, &s->err);
	s->truth = fopen(s->truth_path, "w");
	if (!s->sink || !s->truth || sink_begin(s->sink, &s->events, &s->err) ||
	    sink_feature(s->sink, FEATURE_ARCH, arch, sizeof(arch), &s->err)) {
		fprintf(stderr, "step: %s\n", s->truth ? s->err.text : s->truth_path);
		exit(1);
	}
	put(s, &comm);
	tell_maps(s);
}

/* As `perf script -F ip` shows an address of a call chain: where it lies in its file. */
static unsigned long long shown(const struct stepper *s, uint64_t ip)
{
	for (size_t i = 0; i < s->maps.n; i++)
		if (ip >= s->maps.at[i].start && ip < s->maps.at[i].end)
			return ip - s->maps.at[i].start + s->maps.at[i].offset;
	return ip;
}

static void tell_truth(struct stepper *s)
{
	struct shadow_frame frames[MAX_FRAMES];
	size_t n = shadow_chain(&s->shadow, frames, MAX_FRAMES);

	fprintf(s->truth, "%llx", shown(s, s->regs.rip));
	for (size_t i = 0; i < n; i++) {
		const struct shadow_frame *f = &frames[i];
		uint64_t now = f->interrupted ? 0 : read_word(s, f->slot);

		/* a thrower's return address is replaced by that of the handler */
		if (f->interrupted || (s->shadow.floats && !i))
			now = f->ip;
		fprintf(s->truth, " %llx", shown(s, now - !f->interrupted));
	}
	fputc('\n', s->truth);
}

static void take_sample(struct stepper *s)
{
	const struct user_regs_struct *u = &s->regs;
	const uint64_t regs[] = {u->rax, u->rbx, u->rcx,    u->rdx, u->rsi, u->rdi, u->rbp,
				 u->rsp, u->rip, u->eflags, u->cs,  u->ss,  u->r8,  u->r9,
				 u->r10, u->r11, u->r12,    u->r13, u->r14, u->r15};
	size_t n = read_memory(s, u->rsp, s->stack, s->stack_most);
	struct record r = {.header = {.type = RECORD_SAMPLE}};

	r.sample = (struct sample){.type = s->events.events.at[0]->attr.sample_type,
				   .ip = u->rip,
				   .pid = (uint32_t)s->pid,
				   .tid = (uint32_t)s->pid,
				   .time = s->steps + 1,
				   .user_regs = {2, REGISTERS, regs},
				   .user_stack = s->stack,
				   .user_stack_size = (n + 7) & ~7ull,
				   .user_stack_dyn = n};
	put(s, &r);
	tell_truth(s);
	s->samples++;
	s->next = s->steps + 1 + random_number(s) % (2 * s->apart);
}

static const struct code *code_at(struct stepper *s, uint64_t ip)
{
	struct code *c = &s->code[(ip ^ ip >> CODE_BITS) & ((1 << CODE_BITS) - 1)];
	uint8_t bytes[16];
	unsigned int length;

	if (c->ip == ip && c->length)
		return c;
	c->ip = ip;
	c->kind = (uint8_t)shadow_kind_of(bytes, read_memory(s, ip, bytes, sizeof(bytes)), &length);
	c->length = (uint8_t)length;
	return c;
}

/* The word below which sigaction's kernel side puts the interrupted registers: rdx points
 * to them. */
static bool enter_handler(struct stepper *s)
{
	enum { UCONTEXT_SP = 160, UCONTEXT_IP = 168 }; /* arch/x86/include/uapi/asm/sigcontext.h */

	return shadow_signal(&s->shadow, read_word(s, s->regs.rsp), s->regs.rsp,
			     read_word(s, s->regs.rdx + UCONTEXT_IP),
			     read_word(s, s->regs.rdx + UCONTEXT_SP), find_place, s);
}

static bool follow(struct stepper *s, const struct code *c, const struct user_regs_struct *before)
{
	const bool maps_change = c->kind == INSN_SYSCALL &&
				 (before->rax == SYSCALL_MMAP || before->rax == SYSCALL_MUNMAP);
	const struct shadow_step step = {.kind = c->kind,
					 .next = before->rip + c->length,
					 .sp_before = before->rsp,
					 .sp = s->regs.rsp,
					 .top = c->kind == INSN_OTHER ? 0
								      : read_word(s, s->regs.rsp)};

	if (maps_change) {
		memset(s->code, 0, sizeof(s->code));
		tell_maps(s);
	}
	return shadow_step(&s->shadow, &step, find_place, s);
}

/* One instruction, or the delivery of a signal. False: the program has ended. */
static bool step(struct stepper *s, int *signal_number)
{
	const struct user_regs_struct before = s->regs;
	const int delivered = *signal_number;
	const struct code *c;
	int status;

	if (s->steps >= s->next && !s->shadow.between && !delivered)
		take_sample(s);
	c = code_at(s, s->regs.rip);
	if (ptrace(PTRACE_SINGLESTEP, s->pid, NULL, delivered) || waitpid(s->pid, &status, 0) < 0 ||
	    !WIFSTOPPED(status) || ptrace(PTRACE_GETREGS, s->pid, NULL, &s->regs))
		return false;
	*signal_number = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	s->steps++;
	if (delivered)
		/* it stops at the handler's first instruction; an ignored signal executes the next
		 * one */
		return s->regs.rsp < before.rsp - 128 ? enter_handler(s) : follow(s, c, &before);
	return follow(s, c, &before);
}

static uint64_t entry_of(pid_t pid)
{
	char path[64];
	size_t n = 0;
	uint64_t found = 0;
	char *bytes;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	bytes = proc_file(path, &n);
	for (size_t at = 0; bytes && at + sizeof(Elf64_auxv_t) <= n; at += sizeof(Elf64_auxv_t)) {
		Elf64_auxv_t a;

		memcpy(&a, bytes + at, sizeof(a));
		if (a.a_type == AT_ENTRY)
			found = a.a_un.a_val;
	}
	free(bytes);
	return found;
}

/* Up to the program's entry, when the libraries are there. */
static bool go_to_entry(struct stepper *s)
{
	const uint64_t entry = entry_of(s->pid);
	const long word = ptrace(PTRACE_PEEKTEXT, s->pid, (void *)entry, NULL);
	int status;

	if (!entry ||
	    ptrace(PTRACE_POKETEXT, s->pid, (void *)entry, (void *)((word & ~0xffl) | 0xcc)) ||
	    ptrace(PTRACE_CONT, s->pid, NULL, NULL) || waitpid(s->pid, &status, 0) < 0 ||
	    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP ||
	    ptrace(PTRACE_POKETEXT, s->pid, (void *)entry, (void *)word) ||
	    ptrace(PTRACE_GETREGS, s->pid, NULL, &s->regs))
		return false;
	s->regs.rip = entry;
	return !ptrace(PTRACE_SETREGS, s->pid, NULL, &s->regs);
}

/* On one CPU the two hand over to each other without waking another one up. */
static void share_a_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static bool start(struct stepper *s, char **words)
{
	int status;

	share_a_cpu();
	s->pid = fork();
	if (!s->pid) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(words[0], words);
		_exit(127);
	}
	if (s->pid < 0 || waitpid(s->pid, &status, 0) < 0 || !WIFSTOPPED(status))
		return false;
	ptrace(PTRACE_SETOPTIONS, s->pid, NULL, (void *)PTRACE_O_EXITKILL);
	return go_to_entry(s);
}

int main(int argc, char **argv)
{
	struct stepper *s = calloc(1, sizeof(*s));
	int option, number = 0;
	bool on;

	*s = (struct stepper){.samples_wanted = 2000, .apart = 40, .seed = 1, .stack_most = 16384};
	while ((option = getopt(argc, argv, "+o:t:n:e:s:k:")) != -1)
		switch (option) {
		case 'o': s->out = optarg; break;
		case 't': s->truth_path = optarg; break;
		case 'n': s->samples_wanted = strtoull(optarg, NULL, 10); break;
		case 'e': s->apart = strtoull(optarg, NULL, 10); break;
		case 's': s->seed = strtoull(optarg, NULL, 10) | 1; break;
		case 'k': s->stack_most = MIN(strtoull(optarg, NULL, 10), sizeof(s->stack)); break;
		default: return 2;
		}
	if (!s->out || !s->truth_path || !argv[optind] || !s->apart)
		return 2;
	if (!start(s, argv + optind)) {
		fprintf(stderr, "a program cannot be stepped here: %s\n", strerror(errno));
		return 77;
	}
	begin_recording(s);
	if (!shadow_begin(&s->shadow, s->regs.rsp, find_place, s))
		return 1;
	do
		on = step(s, &number);
	while (on && s->samples < s->samples_wanted);
	ptrace(PTRACE_KILL, s->pid, NULL, NULL);
	if (sink_end(s->sink, &s->err) || fclose(s->truth)) {
		fprintf(stderr, "step: %s\n", s->err.text);
		return 1;
	}
	printf("%llu steps, %llu samples\n", (unsigned long long)s->steps,
	       (unsigned long long)s->samples);
	sink_free(s->sink);
	event_set_release(&s->events);
	shadow_release(&s->shadow);
	vec_release(&s->maps);
	free(s);
	return 0;
}

#else

int main(void)
{
	fputs("the instructions of this machine are not known to this test\n", stderr);
	return 77;
}

#endif
