// SPDX-License-Identifier: MIT
#include "world/replay/replay.h"

#include "world/state.h"

void *replay_make_state(struct replay *rp, struct replay_states *s, size_t index,
			struct thread *of)
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

void *replay_find_task_state(struct replay *rp, uint32_t pid, uint32_t tid)
{
	struct thread *t = replay_thread(rp, pid, tid);
	struct replay_task *known = &rp->tasks[tid % REPLAY_TASKS];

	*known = (struct replay_task){.tid = tid,
				      .has_pid = t->pid != (uint32_t)-1,
				      .state = replay_thread_state(rp, t)};
	return known->state;
}

void *replay_process_state(struct replay *rp, struct thread *t)
{
	return replay_state_of(rp, &rp->processes, t->process->index, t);
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
