// SPDX-License-Identifier: MIT
#include "world/replay/replay.h"

#include "world/state.h"

static void *state_make(struct replay *rp, struct replay_states *s, size_t index, struct thread *of)
{
	void *state;

	if (index >= s->at.n)
		(void)vec_extend(&s->at, index + 1 - s->at.n);
	if (s->unused.n) {
		state = s->unused.at[--s->unused.n];
		memset(state, 0, s->how->size);
	} else {
		state = arena_alloc(&s->arena, s->how->size);
	}
	s->at.at[index] = state;
	if (s->how->init)
		s->how->init(rp, state, of);
	return state;
}

static inline void *state_get(struct replay *rp, struct replay_states *s, size_t index,
			      struct thread *of)
{
	void *state = index < s->at.n ? s->at.at[index] : NULL;

	return state ? state : state_make(rp, s, index, of);
}

void *replay_thread_state(struct replay *rp, struct thread *t)
{
	return state_get(rp, &rp->threads, t->index, t);
}

void *replay_process_state(struct replay *rp, struct thread *t)
{
	return state_get(rp, &rp->processes, t->process->index, t);
}

void *replay_cpu_state(struct replay *rp, uint32_t cpu)
{
	return cpu < REPLAY_CPUS_MAX ? state_get(rp, &rp->cpus, cpu, NULL) : NULL;
}

void replay_end_state(struct replay *rp, struct replay_states *s, size_t index)
{
	void *state = index < s->at.n ? s->at.at[index] : NULL;

	if (!state)
		return;
	if (s->how->end)
		s->how->end(rp, state);
	if (s->how->keep)
		return;
	if (s->how->release)
		s->how->release(state);
	s->at.at[index] = NULL;
	vec_add(&s->unused, state);
}

void replay_states_end(struct replay *rp, struct replay_states *s)
{
	for (size_t i = 0; i < s->at.n && s->how->end; i++)
		if (s->at.at[i])
			s->how->end(rp, s->at.at[i]);
}

void replay_states_release(struct replay_states *s)
{
	for (size_t i = 0; i < s->at.n && s->how && s->how->release; i++)
		if (s->at.at[i])
			s->how->release(s->at.at[i]);
	vec_release(&s->at);
	vec_release(&s->unused);
	arena_release(&s->arena);
}
