// SPDX-License-Identifier: MIT
#include "analysis/wall/wall_frames.h"

#include <string.h>

/* <linux/perf_event.h>: from this value on, words of a chain say what follows them */
#define CONTEXT_FIRST ((uint64_t)-4095)

enum wall_frame_kind { FRAME_PLAIN, FRAME_PROGRAM, FRAME_INTERRUPT, FRAME_TIMER, FRAME_RETURNS };

/* Functions by the beginnings of their names: Linux 5.18 to 6.18, x86 and arm64. Those of timers
 * run in interrupts: the first ends a sleep or a wait whose time is over, as the second of
 * schedule_timeout(); the others are timers that a program has set. */
static const struct wall_frame_name {
	const char *begin;
	enum wall_frame_kind kind;
} wall_frame_names[] = {
	{"bpf_prog_", FRAME_PROGRAM},
	{"bpf_trace_run", FRAME_PROGRAM},
	{"__bpf_trace_", FRAME_PROGRAM},
	{"__traceiter_", FRAME_PROGRAM},
	{"handle_softirqs", FRAME_INTERRUPT},
	{"__do_softirq", FRAME_INTERRUPT},
	{"__softirqentry_text_start", FRAME_INTERRUPT},
	{"common_interrupt", FRAME_INTERRUPT},
	{"asm_common_interrupt", FRAME_INTERRUPT},
	{"sysvec_", FRAME_INTERRUPT},
	{"__sysvec_", FRAME_INTERRUPT},
	{"asm_sysvec_", FRAME_INTERRUPT},
	{"handle_irq_event", FRAME_INTERRUPT},
	{"generic_handle_", FRAME_INTERRUPT},
	{"hrtimer_interrupt", FRAME_INTERRUPT},
	{"hrtimer_wakeup", FRAME_TIMER},
	{"process_timeout", FRAME_TIMER},
	{"timerfd_tmrproc", FRAME_TIMER},
	{"timerfd_triggered", FRAME_TIMER},
	{"posix_timer_fn", FRAME_TIMER},
	{"it_real_fn", FRAME_TIMER},
	{"irqentry_exit_to_user", FRAME_RETURNS},
	{"exit_to_user_mode_", FRAME_RETURNS},
};

void wall_frames_release(struct wall_frames *f)
{
	idmap_release(&f->kinds);
}

static enum wall_frame_kind wall_frame_find(const struct world *world, uint32_t epoch,
					    uint64_t address)
{
	const struct place place = world_place(world, epoch, MISC_KERNEL, address);
	const struct symbol *sym = place_symbol(&place);
	const char *name = sym ? dso_symbol_name(place.dso, sym) : NULL;

	for (size_t i = 0; name && i < ARRAY_SIZE(wall_frame_names); i++)
		if (!strncmp(name, wall_frame_names[i].begin, strlen(wall_frame_names[i].begin)))
			return wall_frame_names[i].kind;
	return FRAME_PLAIN;
}

static enum wall_frame_kind wall_frame_kind(struct wall_frames *f, const struct world *world,
					    uint32_t epoch, uint64_t address)
{
	uint32_t *kind = idmap_put(&f->kinds, address);

	if (!*kind || *kind == HASH_NONE)
		*kind = 1 + wall_frame_find(world, epoch, address);
	return (enum wall_frame_kind)(*kind - 1);
}

static bool begins_in_kernel(const struct sample *sample)
{
	return sample->type & SAMPLE_CALLCHAIN && sample->callchain_nr &&
	       sample->callchain[0] == CONTEXT_KERNEL;
}

size_t wall_frames_of_programs(struct wall_frames *f, const struct world *world, uint32_t epoch,
			       const struct sample *sample)
{
	size_t n = 0;

	if (!begins_in_kernel(sample))
		return 0;
	while (n + 1 < sample->callchain_nr && sample->callchain[n + 1] < CONTEXT_FIRST &&
	       wall_frame_kind(f, world, epoch, sample->callchain[n + 1]) == FRAME_PROGRAM)
		n++;
	return n;
}

uint32_t wall_frames_waker(struct wall_frames *f, const struct world *world, uint32_t epoch,
			   const struct sample *sample)
{
	if (!begins_in_kernel(sample))
		return WALL_NO_WAKER;
	for (size_t i = 1; i < sample->callchain_nr && sample->callchain[i] < CONTEXT_FIRST; i++) {
		const enum wall_frame_kind kind =
			wall_frame_kind(f, world, epoch, sample->callchain[i]);

		if (kind == FRAME_INTERRUPT)
			return WALL_INTERRUPT;
		if (kind == FRAME_TIMER)
			return WALL_TIMER;
		if (kind == FRAME_RETURNS)
			break;
	}
	return WALL_NO_WAKER;
}
