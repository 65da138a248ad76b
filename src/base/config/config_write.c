// SPDX-License-Identifier: MIT
/* Setting a variable in a configuration file: an edit of its text, so that comments stay. */
#include "base/buf.h"
#include "base/config/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void config_write_add_line(struct buf *out, const char *name, const char *value)
{
	bool quote = !*value || strpbrk(value, "#;\"\\\n\t") || isspace((unsigned char)value[0]) ||
		     isspace((unsigned char)value[strlen(value) - 1]);

	buf_printf(out, "\t%s = %s", name, quote ? "\"" : "");
	for (const char *c = value; *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_char(out, '\\');
		if (*c == '\n')
			buf_str(out, "\\n");
		else
			buf_char(out, *c);
	}
	buf_str(out, quote ? "\"\n" : "\n");
}

/* Reads a section line "[a "b"]" into name, in the form that keys have ("a.b."). False for other
 * lines. */
static bool section_line(const char *line, size_t n, struct buf *name)
{
	const char *end = line + n;

	while (line < end && isspace((unsigned char)*line))
		line++;
	if (line == end || *line++ != '[')
		return false;
	buf_clear(name);
	while (line < end && *line != ']' && *line != '"' && !isspace((unsigned char)*line))
		buf_char(name, *line++);
	while (line < end && isspace((unsigned char)*line))
		line++;
	buf_char(name, '.');
	if (line < end && *line == '"') {
		while (++line < end && *line != '"')
			buf_char(name, *line == '\\' && line + 1 < end ? *++line : *line);
		buf_char(name, '.');
	}
	return true;
}

static bool sets(const char *line, size_t n, const char *name)
{
	const char *end = line + n;
	size_t len = strlen(name);

	while (line < end && isspace((unsigned char)*line))
		line++;
	if ((size_t)(end - line) < len || memcmp(line, name, len))
		return false;
	line += len;
	return line == end || isspace((unsigned char)*line) || *line == '=' || *line == '#' ||
	       *line == ';';
}

/* The length in bytes of the line at p, with the lines that a backslash joins to it. */
static size_t line_length(const char *p, const char *end)
{
	const char *at = p;

	while (at < end) {
		const char *nl = memchr(at, '\n', (size_t)(end - at));

		if (!nl)
			return (size_t)(end - p);
		at = nl + 1;
		if (nl == p || nl[-1] != '\\')
			break;
	}
	return (size_t)(at - p);
}

/* Appends text to out with key set to value. */
static void edit(const struct buf *text, const char *key, const char *value, struct buf *out)
{
	const char *p = text->at, *end = p + text->n, *name = strrchr(key, '.') + 1;
	AUTO_CHAR *section = mem_strndup(key, (size_t)(name - key));
	struct buf here = {0};
	bool inside = false, done = false;
	size_t place = 0; /* in out, after the section's last line */

	while (p < end) {
		size_t n = line_length(p, end);

		if (section_line(p, n, &here)) {
			inside = !strcmp(buf_text(&here), section);
		} else if (inside && sets(p, n, name)) {
			if (!done)
				config_write_add_line(out, name, value);
			done = true;
			p += n;
			continue;
		}
		buf_add(out, p, n);
		if (out->n && out->at[out->n - 1] != '\n')
			buf_char(out, '\n');
		if (inside && n > 1)
			place = out->n;
		p += n;
	}
	buf_clear(&here);
	if (!done && place) {
		config_write_add_line(&here, name, value);
		buf_reserve(out, here.n);
		memmove(out->at + place + here.n, out->at + place, out->n - place);
		memcpy(out->at + place, here.at, here.n);
		out->n += here.n;
	} else if (!done) {
		const char *dot = strchr(section, '.');

		if (dot[1])
			buf_printf(out, "[%.*s \"%.*s\"]\n", (int)(dot - section), section,
				   (int)strlen(dot + 1) - 1, dot + 1);
		else
			buf_printf(out, "[%.*s]\n", (int)(dot - section), section);
		config_write_add_line(out, name, value);
	}
	buf_release(&here);
}

static int config_write_read_all(int fd, struct buf *b)
{
	for (;;) {
		ssize_t n;

		buf_reserve(b, 4096);
		n = read(fd, b->at + b->n, 4096);
		if (n <= 0)
			return (int)n;
		b->n += (size_t)n;
	}
}

/* Writes beside the file and renames, so that no reader sees half of it. */
static int replace(const char *path, const struct buf *text, mode_t mode)
{
	AUTO_CHAR *next = mem_printf("%s.XXXXXX", path);
	AUTO_FD fd = mkostemp(next, O_CLOEXEC);
	size_t done = 0;

	if (fd < 0)
		return -1;
	while (done < text->n) {
		ssize_t n = write(fd, text->at + done, text->n - done);

		if (n < 0)
			goto undo;
		done += (size_t)n;
	}
	if (!fchmod(fd, mode) && !rename(next, path))
		return 0;
undo:
	unlink(next);
	return -1;
}

int config_write(const char *path, const char *key, const char *value, struct err *err)
{
	struct buf text = {0}, out = {0};
	struct stat st = {.st_mode = 0644};
	int result = 0;
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0 ? fstat(fd, &st) || config_write_read_all(fd, &text) : errno != ENOENT) {
		result = err_sys(err, errno, "cannot read the configuration '%s'", path);
	} else {
		edit(&text, key, value, &out);
		if (replace(path, &out, st.st_mode & 07777))
			result = err_sys(err, errno, "cannot write the configuration '%s'", path);
	}
	buf_release(&text);
	buf_release(&out);
	return result;
}
