// SPDX-License-Identifier: MIT
#include "os/process/signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_open(struct signals *s, const int *list, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	for (; *list; list++)
		sigaddset(&set, *list);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &s->before);
	s->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return s->fd < 0 ? err_sys(err, errno, "cannot wait for signals") : 0;
}

int signals_next_from(struct signals *s, bool *typed)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	*typed = info.ssi_code == SI_KERNEL;
	return (int)info.ssi_signo;
}

int signals_next(struct signals *s)
{
	bool typed;

	return signals_next_from(s, &typed);
}

bool signals_end_asked(void)
{
	sigset_t waiting;

	return !sigpending(&waiting) &&
	       (sigismember(&waiting, SIGINT) > 0 || sigismember(&waiting, SIGTERM) > 0);
}

void signals_close(struct signals *s)
{
	if (s->fd <= 0)
		return;
	/* What waits here asked for the end that has come, as the second one does when timeout(1)
	 * sends SIGINT to its child and then to its group: the result would not be written. */
	while (signals_next(s))
		;
	/* one that came too late must not end us now */
	signal(SIGUSR2, SIG_IGN);
	close(s->fd);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	s->fd = -1;
}

void signals_die(int sig, bool command)
{
	if (!sig || command || sig == SIGINT)
		return;
	signal(sig, SIG_DFL);
	raise(sig);
}
