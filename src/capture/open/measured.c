// SPDX-License-Identifier: MIT
#include "capture/open/measured.h"

#include "os/process/process.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PROCESSES 2 /* of polls: the first of them */

void measured_watch(struct measured *m, int fd, const struct target_options *t)
{
	vec_add(&m->polls, (struct pollfd){.fd = m->signals.fd, .events = POLLIN});
	vec_add(&m->polls, (struct pollfd){.fd = fd, .events = POLLIN});
	if (!t->pids && !t->tids)
		return;
	for (size_t i = 0; i < m->target.pids.n; i++) {
		const int process = process_watch(m->target.pids.at[i]);

		if (process < 0)
			continue;
		vec_add(&m->polls, (struct pollfd){.fd = process, .events = POLLIN});
		m->alive++;
	}
}

static void measured_take_signals(struct measured *m)
{
	bool typed;
	int sig;

	while ((sig = signals_next_from(&m->signals, &typed)) > 0) {
		if (sig == SIGCHLD) {
			m->stop |= m->command.pid && spawn_ended(&m->command);
			continue;
		}
		if (!typed || !m->command.pid || m->signal)
			m->stop = true;
		m->signal = sig;
	}
}

static void measured_take_ends(struct measured *m)
{
	for (size_t i = PROCESSES; i < m->polls.n; i++) {
		if (m->polls.at[i].fd < 0 || !m->polls.at[i].revents)
			continue;
		close(m->polls.at[i].fd);
		m->polls.at[i].fd = -1;
		m->stop |= !--m->alive;
	}
}

int measured_wait(struct measured *m, int ms)
{
	int got = poll(m->polls.at, m->polls.n, ms);

	if (got < 0 && errno != EINTR)
		return -1;
	measured_take_signals(m);
	measured_take_ends(m);
	return got < 0 ? 1 : got;
}

int measured_check(struct measured *m, struct err *err)
{
	return m->command.pid && m->command.ended ? spawn_check(&m->command, err) : 0;
}

int measured_end(struct measured *m)
{
	int status = 0;

	for (size_t i = PROCESSES; i < m->polls.n; i++)
		if (m->polls.at[i].fd >= 0)
			close(m->polls.at[i].fd);
	vec_release(&m->polls);
	target_release(&m->target);
	if (m->command.pid) {
		spawn_release(&m->command, true);
		status = spawn_exit_status(&m->command);
	}
	signals_close(&m->signals);
	return status;
}
