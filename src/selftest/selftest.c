// SPDX-License-Identifier: MIT
#include "selftest/selftest.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_WORDS 30
#define MOST_LINES 20 /* of a command's output that are shown */

enum selftest_verdict selftest_fail(struct selftest_run *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, args);
	va_end(args);
	return SELFTEST_FAILED;
}

enum selftest_verdict selftest_skip(struct selftest_run *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, args);
	va_end(args);
	return SELFTEST_SKIPPED;
}

void selftest_say(struct selftest_run *r, const char *fmt, ...)
{
	char line[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	buf_printf(&r->said, "%s\n", line);
}

static void child_exec(const struct selftest_run *r, int out, const char *const *words)
{
	const char *argv[MOST_WORDS + 2] = {"perf"};
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; words[i] && i < MOST_WORDS; i++)
		argv[i + 1] = words[i];
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	if (!chdir(r->folder))
		execv(r->program, (char *const *)argv);
	_exit(127);
}

/* Shows the first lines of what a command wrote, and says how many there are more. */
static void output_say(struct selftest_run *r, const char *text, size_t n)
{
	const char *at = text, *end = text + n;
	size_t more = 0;

	for (size_t i = 0; i < MOST_LINES && at < end; i++) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));

		at = line_end ? line_end + 1 : end;
	}
	buf_add(&r->said, text, (size_t)(at - text));
	if (at > text && at[-1] != '\n')
		buf_char(&r->said, '\n');
	while (at < end)
		more += *at++ == '\n';
	if (more)
		buf_printf(&r->said, "... %zu more lines\n", more);
}

int selftest_perf(struct selftest_run *r, struct buf *out, const char *const *words)
{
	int ends[2], status = -1;
	size_t from = out->n;
	ssize_t got;
	pid_t pid;

	buf_str(&r->said, "$ perf");
	for (size_t i = 0; words[i]; i++)
		buf_printf(&r->said, " %s", words[i]);
	buf_char(&r->said, '\n');
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid)
		child_exec(r, ends[1], words);
	close(ends[1]);
	do {
		buf_reserve(out, 4096);
		got = read(ends[0], out->at + out->n, 4096);
		if (got > 0)
			out->n += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	close(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	if (out->n > from)
		output_say(r, (const char *)out->at + from, out->n - from);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char *selftest_last_line(struct buf *text)
{
	char *line;

	buf_text(text);
	while (text->n && text->at[text->n - 1] == '\n')
		text->n--;
	buf_text(text);
	line = text->n ? memrchr(text->at, '\n', text->n) : NULL;
	return text->n ? (line ? line + 1 : (const char *)text->at) : "no word of why";
}
