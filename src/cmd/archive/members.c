// SPDX-License-Identifier: MIT
/* Checks the members of an archive, as tar lists them, before unpacking. */
#include "cmd/archive/work.h"

#include "os/files/beneath.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MOST_LISTED (64u << 20)
#define MOST_TOLD   10

int members_refuse(const char *subject, const char *const *names, size_t n, struct err *err)
{
	AUTO_BUF text = {0};

	for (size_t i = 0; i < n && i < MOST_TOLD; i++) {
		buf_str(&text, "perf: refused: ");
		buf_safe(&text, names[i]);
		buf_char(&text, '\n');
	}
	if (n > MOST_TOLD)
		buf_printf(&text, "perf: refused: %zu more\n", n - MOST_TOLD);
	fputs(buf_text(&text), stderr);
	err_set(err, ERR_INPUT,
		"'%s' is not unpacked: it would write or lead out of the build-id store", subject);
	return err_hint(err, "archives that perf makes hold no such members");
}

/* True for an absolute name, or one with "..". */
static bool leads_out(const char *name)
{
	while (!strncmp(name, "./", 2))
		name += 2;
	return *name == '/' || !(beneath_is_plain(name) || !strcmp(name, "."));
}

/* True for ".build-id/xx/yyy" with any x and y. */
static bool is_in_build_id(const char *name)
{
	int slashes = 0;

	while (!strncmp(name, "./", 2))
		name += 2;
	for (const char *p = name; *p; p++)
		slashes += *p == '/';
	return !strncmp(name, ".build-id/", 10) && slashes == 2;
}

/* Returns NAME in "lrwxrwxrwx 0/0 0 2026-11-22 20:00 NAME -> TARGET": the text after five
 * fields. */
static char *name_in(char *line)
{
	for (int i = 0; i < 5; i++) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	return line;
}

/* Cuts the name before the text between, and returns the link target after it. */
static const char *cut_target(char *name, const char *between)
{
	char *at = strstr(name, between);

	if (!at)
		return "";
	*at = 0;
	return at + strlen(between);
}

static bool is_refused(char kind, char *name)
{
	switch (kind) {
	case '-':
	case 'd':
		return leads_out(name);
	case 'l': /* symbolic links: targets are checked after unpacking */
		cut_target(name, " -> ");
		return leads_out(name) || !is_in_build_id(name);
	case 'h':
		return leads_out(cut_target(name, " link to ")) || leads_out(name);
	default:
		return true;
	}
}

int members_check(struct work *w, const char *path, const char *subject, bool *all, struct err *err)
{
	const char *file = arena_printf(&w->arena, "%s/members", w->temp);
	const char *to = arena_printf(&w->arena, "--index-file=%s", file);
	struct names refused = {0};
	AUTO_BUF text = {0};
	int failed = 0;
	char *rest, *line;

	work_args(w, "tar", "-t", "-v", "-P", "--numeric-owner", "--quoting-style=escape", to, "-f",
		  path, NULL);
	if (work_tar(w, subject, err))
		return -1;
	if (text_read(NULL, file, MOST_LISTED, &text))
		return err_sys(err, errno, "cannot read what '%s' holds", subject);
	rest = arena_strdup(&w->arena, buf_text(&text));
	while ((line = strsep(&rest, "\n"))) {
		char *name = name_in(line);

		if (!*name)
			continue;
		if (is_refused(*line, name))
			vec_add(&refused, name);
		else if (all && *line == '-' && !strcmp(name, SYMBOLS_ARCHIVE))
			*all = true;
	}
	remove(file);
	if (refused.n)
		failed = members_refuse(subject, refused.at, refused.n, err);
	vec_release(&refused);
	return failed;
}
