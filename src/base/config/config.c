// SPDX-License-Identifier: MIT
#include "base/config/config.h"

#include "base/buf.h"
#include "base/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST (1 << 20) /* no configuration is longer than that */

/* The text being read. */
struct reader {
	const char *p, *end;
	unsigned int line;
	struct buf section, key, value;
};

static int config_peek(const struct reader *r)
{
	return r->p < r->end ? (unsigned char)*r->p : EOF;
}

static int config_take(struct reader *r)
{
	int c = config_peek(r);

	if (c == EOF)
		return EOF;
	r->p++;
	if (c == '\r' && config_peek(r) == '\n')
		c = (unsigned char)*r->p++;
	if (c == '\n')
		r->line++;
	return c;
}

static void skip_blanks(struct reader *r)
{
	while (config_peek(r) == ' ' || config_peek(r) == '\t' || config_peek(r) == '\r')
		r->p++;
}

static void skip_line(struct reader *r)
{
	int c;

	do
		c = config_take(r);
	while (c != '\n' && c != EOF);
}

/* Reads a section's name; p is after "[". */
static bool read_section(struct reader *r)
{
	int c;

	buf_clear(&r->section);
	while (isalnum(config_peek(r)) || config_peek(r) == '-' || config_peek(r) == '.' ||
	       config_peek(r) == '_')
		buf_char(&r->section, (char)config_take(r));
	skip_blanks(r);
	if (config_peek(r) == '"') {
		config_take(r);
		buf_char(&r->section, '.');
		while ((c = config_take(r)) != '"') {
			if (c == '\\')
				c = config_take(r);
			if (c == EOF || c == '\n')
				return false;
			buf_char(&r->section, (char)c);
		}
	}
	return config_take(r) == ']' && r->section.n;
}

static bool read_escape(struct reader *r)
{
	int c = config_take(r);

	switch (c) {
	case '\n':
		return true;
	case 't':
		c = '\t';
		break;
	case 'n':
		c = '\n';
		break;
	case 'b':
		c = '\b';
		break;
	case '"':
	case '\\':
		break;
	default:
		return false;
	}
	buf_char(&r->value, (char)c);
	return true;
}

/* Reads a value, from after "=" to the end of the line, without comments and without blanks at both
 * ends. */
static bool read_value(struct reader *r)
{
	bool quoted = false;
	size_t keep = 0; /* length of the part that ends with a quoted or other non-blank
			  * character */

	buf_clear(&r->value);
	skip_blanks(r);
	for (;;) {
		int c = config_take(r);

		if (c == '\n' || c == EOF) {
			if (quoted)
				return false;
			break;
		}
		if (!quoted && (c == '#' || c == ';')) {
			r->p--;
			skip_line(r);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			keep = r->value.n;
		} else if (c == '\\') {
			if (!read_escape(r))
				return false;
			keep = r->value.n;
		} else {
			buf_char(&r->value, (char)c);
			if (quoted || !isspace(c))
				keep = r->value.n;
		}
	}
	r->value.n = keep;
	return true;
}

static bool read_name(struct reader *r)
{
	buf_clear(&r->key);
	buf_add(&r->key, r->section.at, r->section.n);
	buf_char(&r->key, '.');
	while (isalnum(config_peek(r)) || config_peek(r) == '-' || config_peek(r) == '_')
		buf_char(&r->key, (char)config_take(r));
	skip_blanks(r);
	if (config_peek(r) == '=') {
		config_take(r);
		return read_value(r);
	}
	buf_clear(&r->value);
	buf_str(&r->value, "true");
	if (config_peek(r) == '#' || config_peek(r) == ';')
		skip_line(r);
	else if (config_peek(r) != EOF && config_take(r) != '\n')
		return false;
	return true;
}

/* The length of the section's name with its dot */
static size_t section_of(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? (size_t)(dot - key) + 1 : 0;
}

static void config_put(struct config *c, const char *key, const char *value)
{
	struct config_var var = {.value = arena_strdup(&c->arena, value)};
	size_t n = section_of(key), at = c->vars.n;

	for (size_t i = 0; i < c->vars.n; i++) {
		if (!strcmp(c->vars.at[i].key, key)) {
			c->vars.at[i].value = var.value;
			return;
		}
		if (section_of(c->vars.at[i].key) == n && !memcmp(c->vars.at[i].key, key, n))
			at = i + 1;
	}
	var.key = arena_strdup(&c->arena, key);
	(void)vec_extend(&c->vars, 1);
	memmove(c->vars.at + at + 1, c->vars.at + at, (c->vars.n - 1 - at) * sizeof(var));
	c->vars.at[at] = var;
}

int config_parse(struct config *c, const char *text, size_t n, const char *path, struct err *err)
{
	struct reader r = {.p = text, .end = text + n, .line = 1};
	bool good = true;
	unsigned int line = 1;

	while (good && config_peek(&r) != EOF) {
		line = r.line;
		if (isspace(config_peek(&r))) {
			config_take(&r);
		} else if (config_peek(&r) == '#' || config_peek(&r) == ';') {
			skip_line(&r);
		} else if (config_peek(&r) == '[') {
			config_take(&r);
			good = read_section(&r);
		} else {
			good = r.section.n && isalpha(config_peek(&r)) && read_name(&r);
			if (good) {
				buf_text(&r.key);
				config_put(c, r.key.at, buf_text(&r.value));
			}
		}
	}
	buf_release(&r.section);
	buf_release(&r.key);
	buf_release(&r.value);
	return good ? 0 : err_set(err, ERR_INPUT, "bad config file line %u in '%s'", line, path);
}

/* The longest wait, in ms, for the writer of a configuration that is a pipe
 * (PERF_CONFIG=<(command)). */
#define WRITER_MOST 1000

/* Reads up to n bytes. Returns their number; 0: the end; -1: errno says why. */
static ssize_t read_some(int fd, char *to, size_t n)
{
	struct pollfd ready = {fd, POLLIN, 0};
	ssize_t got;

	do
		got = read(fd, to, n);
	while (got < 0 &&
	       (errno == EINTR || (errno == EAGAIN && poll(&ready, 1, WRITER_MOST) > 0)));
	return got;
}

/*
 * Opens a configuration file. Returns 0 with *fd, which is -1 when there is no file to read; -1
 * with *err. The open does not wait: a fifo in the file's place must not hold up every command. A
 * file of another user is ignored: the pager or scripts that it names would run with our rights.
 */
static int open_text(const char *path, int *fd, struct err *err)
{
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd >= 0 && !fstat(*fd, &st)) {
		if (!st.st_uid || st.st_uid == geteuid())
			return 0;
		close(*fd);
		*fd = -1;
		return 0;
	}
	/* the home of another user (sudo -u) may be unreadable: then there is no file */
	return errno == ENOENT || errno == ENOTDIR || errno == EACCES
		       ? 0
		       : err_sys(err, errno, "cannot read the configuration '%s'", path);
}

static int read_text(int fd, const char *path, struct buf *text, struct err *err)
{
	ssize_t n;

	do {
		buf_reserve(text, 4096);
		n = read_some(fd, text->at + text->n, 4096);
		if (n < 0)
			return err_sys(err, errno, "cannot read the configuration '%s'", path);
		text->n += (size_t)n;
		if (text->n > LARGEST)
			return err_set(err, ERR_INPUT, "the configuration '%s' is too long", path);
	} while (n);
	return 0;
}

int config_read(struct config *c, const char *path, struct err *err)
{
	AUTO_BUF text = {0};
	AUTO_FD fd = -1;

	if (open_text(path, &fd, err))
		return -1;
	if (fd < 0)
		return 0;
	if (read_text(fd, path, &text, err))
		return -1;
	return config_parse(c, text.at, text.n, path, err);
}

char *config_user_path(void)
{
	const char *home = getenv("HOME");

	return home && *home ? mem_printf("%s/.perfconfig", home) : NULL;
}

static bool env_says(const char *name)
{
	const char *value = getenv(name);
	bool yes = false;

	if (!value)
		return false;
	return !*value || parse_bool(value, &yes) || yes;
}

int config_load(struct config *c, struct err *err)
{
	const char *only = getenv("PERF_CONFIG");
	AUTO_CHAR *user = NULL;

	if (only)
		return config_read(c, only, err);
	if (!env_says("PERF_CONFIG_NOSYSTEM") && config_read(c, CONFIG_SYSTEM_PATH, err))
		return -1;
	if (env_says("PERF_CONFIG_NOGLOBAL"))
		return 0;
	user = config_user_path();
	return user ? config_read(c, user, err) : 0;
}

void config_release(struct config *c)
{
	vec_release(&c->vars);
	arena_release(&c->arena);
}

const char *config_find(const struct config *c, const char *key)
{
	for (size_t i = 0; i < c->vars.n; i++)
		if (!strcmp(c->vars.at[i].key, key))
			return c->vars.at[i].value;
	return NULL;
}

bool config_bool(const struct config *c, const char *key, bool otherwise)
{
	const char *value = config_find(c, key);
	bool v;

	return value && !parse_bool(value, &v) ? v : otherwise;
}

long config_int(const struct config *c, const char *key, long otherwise)
{
	const char *value = config_find(c, key);
	long v;
	char *end;

	if (!value || !*value)
		return otherwise;
	errno = 0;
	v = strtol(value, &end, 0);
	return errno || *end ? otherwise : v;
}
