// SPDX-License-Identifier: MIT
#include "os/terminal.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool terminal_is(int fd)
{
	return isatty(fd);
}

int terminal_width(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

bool terminal_size(int fd, unsigned int *columns, unsigned int *rows)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row)
		return false;
	*columns = size.ws_col;
	*rows = size.ws_row;
	return true;
}

void terminal_keys_begin(struct terminal_keys *k, int fd)
{
	struct termios quiet;

	*k = (struct terminal_keys){.fd = fd};
	if (tcgetattr(fd, &k->before))
		return;
	quiet = k->before;
	quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	quiet.c_cc[VMIN] = 0;
	quiet.c_cc[VTIME] = 0;
	k->changed = !tcsetattr(fd, TCSAFLUSH, &quiet);
}

void terminal_keys_end(struct terminal_keys *k)
{
	if (k->changed)
		tcsetattr(k->fd, TCSAFLUSH, &k->before);
	k->changed = false;
}

/* The program's name, or NULL when only the shell can tell what it is. */
static char *first_word(const char *command)
{
	for (;;) {
		size_t n;

		command += strspn(command, " \t");
		n = strcspn(command, " \t");
		if (!n || strcspn(command, "\\\"'`$&|;<>(){}*?[#~!%") < n)
			return NULL;
		if (!memchr(command, '=', n))
			return mem_printf("%.*s", (int)n, command);
		command += n; /* a variable for the program that follows */
	}
}

bool reader_exists(const char *command)
{
	AUTO_CHAR *word = first_word(command);
	int status = 0;
	pid_t pid;

	if (!word)
		return true;
	if (strchr(word, '/'))
		return !access(word, X_OK);
	/* The word may be a shell builtin: "exec less". */
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", "command -v \"$0\" >/dev/null 2>&1", word,
		      (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		return true;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !status;
}

pid_t reader_start(const char *command, int *fd)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	/* the default of "less", unless the user set LESS: leave at once when all fits on a
	 * screen */
	setenv("LESS", "FRSX", 0);
	pid = fork();
	if (!pid) {
		signal(SIGPIPE, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		dup2(ends[0], STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	if (pid < 0) {
		int saved = errno;

		close(ends[1]);
		errno = saved;
		return -1;
	}
	*fd = ends[1];
	return pid;
}

void reader_wait(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}
