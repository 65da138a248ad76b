// SPDX-License-Identifier: MIT
#include "analysis/sched/sched_args.h"

#include <strings.h>

const struct replay_field sched_switch_fields[] = {
	{"prev_pid", REPLAY_S64, offsetof(struct sched_switch, prev_pid)},
	{"prev_state", REPLAY_U64, offsetof(struct sched_switch, prev_state)},
	{"prev_comm", REPLAY_TEXT, offsetof(struct sched_switch, prev_comm), .optional = true},
	{"next_pid", REPLAY_S64, offsetof(struct sched_switch, next_pid)},
	{"next_comm", REPLAY_TEXT, offsetof(struct sched_switch, next_comm), .optional = true},
	{0},
};

const struct replay_field sched_switch_numbers[] = {
	{"prev_pid", REPLAY_S64, offsetof(struct sched_switch, prev_pid)},
	{"prev_state", REPLAY_U64, offsetof(struct sched_switch, prev_state)},
	{"next_pid", REPLAY_S64, offsetof(struct sched_switch, next_pid)},
	{0},
};

const struct replay_field sched_switch_next[] = {
	{"next_pid", REPLAY_S64, offsetof(struct sched_switch, next_pid)},
	{0},
};

const struct replay_field sched_switch_history[] = {
	{"prev_pid", REPLAY_S64, offsetof(struct sched_switch, prev_pid)},
	{"prev_prio", REPLAY_S64, offsetof(struct sched_switch, prev_prio), .optional = true},
	{"prev_state", REPLAY_U64, offsetof(struct sched_switch, prev_state)},
	{"next_pid", REPLAY_S64, offsetof(struct sched_switch, next_pid)},
	{"next_comm", REPLAY_TEXT, offsetof(struct sched_switch, next_comm), .optional = true},
	{"next_prio", REPLAY_S64, offsetof(struct sched_switch, next_prio), .optional = true},
	{0},
};

const struct replay_field sched_wakeup_fields[] = {
	{"pid", REPLAY_S64, offsetof(struct sched_wakeup, pid)},
	{0},
};

const struct replay_field sched_runtime_fields[] = {
	{"pid", REPLAY_S64, offsetof(struct sched_runtime, pid)},
	{"runtime", REPLAY_U64, offsetof(struct sched_runtime, runtime)},
	{0},
};

const struct replay_field sched_migrate_fields[] = {
	{"pid", REPLAY_S64, offsetof(struct sched_migrate, pid)},
	{"orig_cpu", REPLAY_S64, offsetof(struct sched_migrate, orig_cpu), .optional = true},
	{"dest_cpu", REPLAY_S64, offsetof(struct sched_migrate, dest_cpu), .optional = true},
	{0},
};

char sched_state_letter(uint64_t prev_state)
{
	static const char letters[] = "RSDTtZXxKWP";
	const size_t bit = sched_state_runs(prev_state) ? 0 : (size_t)ffsl((long)prev_state);

	return bit < sizeof(letters) - 1 ? letters[bit] : '?';
}

void sched_count_wrong_cpu(struct replay *rp, const struct record *r)
{
	losses_add(&rp->rec->m.losses, LOSS_CORRUPT, 1, r->offset);
}
