// SPDX-License-Identifier: MIT
#include "os/tracing/ftrace.h"

#include "os/files/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE (16u << 20) /* lists of functions are the longest */

static int ftrace_refused(const char *root, const char *file, const char *what, struct err *err)
{
	int sys = errno;

	err_sys(err, sys, "cannot %s '%s/%s'", what, root, file);
	if (sys == EACCES || sys == EPERM) {
		if (err)
			err->code = ERR_RIGHTS;
		return geteuid() ? err_hint(err, "only root may trace functions")
				 : err_hint(err, "the kernel is locked down, or a container may "
						 "not change its tracer");
	}
	if (sys == ENOENT)
		return err_hint(err, "this kernel's tracers do not have it");
	return -1;
}

/* The text to restore a file with: for a list (set_*) one word a line, without remarks; for any
 * other file its first word. */
static char *text_to_keep(const char *file, struct buf *text)
{
	bool list = !strncmp(file, "set_", 4);
	AUTO_BUF kept = {0};
	char *line, *rest = (char *)buf_text(text);

	while ((line = strsep(&rest, "\n"))) {
		size_t n = strcspn(line, " \t");

		if (!n || *line == '#' || (list && !strncmp(line, "no pid", 6)))
			continue;
		buf_add(&kept, line, n);
		if (!list)
			break;
		buf_char(&kept, '\n');
	}
	return mem_strdup(buf_text(&kept));
}

static int ftrace_keep(struct ftrace_settings *s, const char *file, struct err *err)
{
	AUTO_BUF text = {0};

	for (size_t i = 0; i < s->saved.n; i++)
		if (!strcmp(s->saved.at[i].file, file))
			return 0;
	if (text_read(s->root, file, MAX_FILE, &text))
		return ftrace_refused(s->root, file, "read", err);
	vec_add(&s->saved, (struct ftrace_saved){mem_strdup(file), text_to_keep(file, &text)});
	return 0;
}

/* The kernel takes one word a write; opening with O_TRUNC empties a list. */
static int write_words(const char *root, const char *file, const char *text, struct err *err)
{
	AUTO_CHAR *path = mem_printf("%s/%s", root, file);
	AUTO_FD fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return ftrace_refused(root, file, "write", err);
	while (*text) {
		size_t n = strcspn(text, "\n");
		AUTO_CHAR *word = mem_printf("%.*s\n", (int)n, text);

		if (n && write(fd, word, n + 1) != (ssize_t)n + 1) {
			if (errno != EINVAL && errno != EBUSY)
				return ftrace_refused(root, file, "write", err);
			err_sys(err, errno, "'%s' does not take '%.*s'", file, (int)n, text);
			return strstr(file, "filter") || strstr(file, "graph")
				       ? err_hint(err, "'perf ftrace -F' lists the functions that "
						       "can be traced")
				       : -1;
		}
		text += n + (text[n] == '\n');
	}
	return 0;
}

int ftrace_write_all(struct ftrace_settings *s, const char *file, const char *const *words,
		     size_t n, struct err *err)
{
	AUTO_BUF text = {0};

	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s\n", words[i]);
	return ftrace_keep(s, file, err) || write_words(s->root, file, buf_text(&text), err) ? -1
											     : 0;
}

int ftrace_write(struct ftrace_settings *s, const char *file, const char *word, struct err *err)
{
	return ftrace_write_all(s, file, &word, 1, err);
}

int ftrace_put_back(struct ftrace_settings *s, struct err *err)
{
	int failed = 0;

	for (size_t i = s->saved.n; i--;) {
		struct ftrace_saved *f = &s->saved.at[i];

		if (write_words(s->root, f->file, f->text, failed ? NULL : err))
			failed = -1;
		free(f->file);
		free(f->text);
	}
	vec_release(&s->saved);
	return failed;
}

bool ftrace_has_file(const char *root, const char *file)
{
	AUTO_CHAR *path = mem_printf("%s/%s", root, file);

	return !access(path, F_OK);
}

static void ftrace_restore(void *ctx)
{
	ftrace_put_back(ctx, NULL);
}

void ftrace_guard_begin(struct guard *g, struct ftrace_settings *s)
{
	guard_begin(g, true, ftrace_restore, s);
}

/* The number behind a name at the beginning of a line; 0: there is none. */
static uint64_t ftrace_stat(const char *text, const char *name)
{
	const size_t n = strlen(name);

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (!strncmp(p, name, n))
			return strtoull(p + n, NULL, 10);
	return 0;
}

uint64_t ftrace_lost(const char *root)
{
	struct arena arena = {0};
	struct names cpus = {0};
	uint64_t lost = 0;

	if (!text_names(root, "per_cpu", false, true, &arena, &cpus))
		for (size_t i = 0; i < cpus.n; i++) {
			AUTO_CHAR *file = mem_printf("per_cpu/%s/stats", cpus.at[i]);
			AUTO_BUF text = {0};

			if (text_read(root, file, 4096, &text))
				continue;
			lost += ftrace_stat(buf_text(&text), "overrun:");
			lost += ftrace_stat(buf_text(&text), "dropped events:");
		}
	vec_release(&cpus);
	arena_release(&arena);
	return lost;
}

bool ftrace_has_tracer(const char *root, const char *tracer)
{
	AUTO_BUF text = {0};
	size_t n = strlen(tracer);

	if (text_read(root, "available_tracers", MAX_FILE, &text))
		return false;
	for (const char *p = buf_text(&text); *p; p += strcspn(p, " \n")) {
		while (isspace((unsigned char)*p))
			p++;
		if (!strncmp(p, tracer, n) && (!p[n] || isspace((unsigned char)p[n])))
			return true;
	}
	return false;
}

const char *ftrace_current_tracer(const char *root, struct arena *arena)
{
	return text_line(root, "current_tracer", arena);
}

int ftrace_open_pipes(const char *root, struct ftrace_pipes *fds, struct err *err)
{
	struct arena arena = {0};
	struct names cpus = {0};
	int got = 0;

	if (text_names(root, "per_cpu", true, true, &arena, &cpus))
		got = ftrace_refused(root, "per_cpu", "read", err);
	for (size_t i = 0; !got && i < cpus.n; i++) {
		const char *file = arena_printf(&arena, "per_cpu/%s/trace_pipe", cpus.at[i]);
		const char *path = arena_printf(&arena, "%s/%s", root, file);
		const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0)
			got = ftrace_refused(root, file, "read", err);
		else
			vec_add(fds, fd);
	}
	vec_release(&cpus);
	arena_release(&arena);
	return got;
}
