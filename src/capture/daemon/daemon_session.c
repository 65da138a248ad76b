// SPDX-License-Identifier: MIT
#include "capture/daemon/daemon_session.h"

#include "capture/daemon/daemon_config.h"
#include "os/channel.h"
#include "os/files/daemon_dir.h"
#include "os/process/background.h"

#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONTROL	     "control"
#define ACK	     "ack"
#define PING_MS	     2000
#define LOOK_EACH_MS 10
/* How long a recorder may take to write what it holds, before SIGTERM and before SIGKILL. */
#define ASKED_SECONDS  10
#define ENDING_SECONDS 20

time_t daemon_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec;
}

static int session_exec(struct daemon_session *s, const sigset_t *blocked, struct err *err)
{
	struct arena arena = {0};
	struct daemon_words words = {0};
	AUTO_FD out = daemon_dir_create(s->dir, DAEMON_OUTPUT, err);
	int failed = out < 0;

	vec_add(&words, arena_strdup(&arena, "perf"));
	vec_add(&words, arena_strdup(&arena, "record"));
	vec_add(&words, arena_strdup(&arena, "--control=fifo:" CONTROL "," ACK));
	failed = failed || daemon_words_split(s->run, &arena, &words, err);
	vec_add(&words, NULL);
	if (!failed)
		s->pid = background_run_self(words.at, s->dir, out, blocked, err);
	vec_release(&words);
	arena_release(&arena);
	return failed || s->pid < 0 ? -1 : 0;
}

int daemon_session_start(struct daemon_session *s, int base, const char *name, const char *run,
			 const sigset_t *blocked, struct err *err)
{
	AUTO_CHAR *folder = mem_printf("session-%s", name);

	*s = (struct daemon_session){.name = mem_strdup(name),
				     .run = mem_strdup(run),
				     .control = -1,
				     .ack = -1,
				     .start = daemon_clock()};
	s->dir = daemon_dir_make(base, folder, err);
	if (s->dir >= 0)
		s->control = daemon_dir_fifo(s->dir, CONTROL, err);
	if (s->control >= 0)
		s->ack = daemon_dir_fifo(s->dir, ACK, err);
	if (s->ack >= 0 && !session_exec(s, blocked, err))
		return 0;
	s->pid = 0;
	daemon_session_release(s);
	return -1;
}

bool daemon_session_ended(struct daemon_session *s)
{
	if (s->pid && waitpid(s->pid, &s->status, WNOHANG) == s->pid)
		s->pid = 0;
	return !s->pid;
}

void daemon_session_stop(struct daemon_session *s)
{
	if (s->pid)
		channel_write(s->control, "stop\n");
}

static bool wait_for_end(struct daemon_session *s, int seconds)
{
	for (int i = 0; i < seconds * 1000 / LOOK_EACH_MS && !daemon_session_ended(s); i++)
		poll(NULL, 0, LOOK_EACH_MS);
	return !s->pid;
}

void daemon_session_wait(struct daemon_session *s)
{
	if (wait_for_end(s, ASKED_SECONDS))
		return;
	kill(s->pid, SIGTERM);
	if (wait_for_end(s, ENDING_SECONDS))
		return;
	kill(s->pid, SIGKILL);
	waitpid(s->pid, &s->status, 0);
	s->pid = 0;
}

bool daemon_session_ping(const struct daemon_session *s)
{
	struct pollfd wait = {.fd = s->ack, .events = POLLIN};
	AUTO_BUF old = {0}, answer = {0};

	channel_read(s->ack, &old); /* an answer that came too late for an earlier question */
	channel_write(s->control, "ping\n");
	if (poll(&wait, 1, PING_MS) <= 0)
		return false;
	channel_read(s->ack, &answer);
	return !strncmp(buf_text(&answer), "ack", 3);
}

void daemon_session_say_end(const struct daemon_session *s, struct buf *out)
{
	buf_printf(out, "session '%s' ", s->name);
	if (WIFEXITED(s->status))
		buf_printf(out, "exited, status=%d", WEXITSTATUS(s->status));
	else
		buf_printf(out, "killed (signal %d)", WTERMSIG(s->status));
}

static void close_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void daemon_session_release(struct daemon_session *s)
{
	if (s->dir >= 0) {
		unlinkat(s->dir, CONTROL, 0);
		unlinkat(s->dir, ACK, 0);
	}
	close_open(s->control);
	close_open(s->ack);
	close_open(s->dir);
	free(s->name);
	free(s->run);
	*s = (struct daemon_session){.dir = -1, .control = -1, .ack = -1};
}
