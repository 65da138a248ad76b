// SPDX-License-Identifier: MIT
#include "capture/session/control.h"

#include "os/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer than any command: a longer line is not a command. */
#define LINE_MOST 4096

static int open_fds(struct control *c, const char *text, struct err *err)
{
	char *end;

	c->fd = (int)strtol(text, &end, 10);
	if (end == text || (*end && *end != ','))
		return err_set(err, ERR_USAGE, "'%s' is not a descriptor", text);
	if (*end) {
		const char *second = end + 1;

		c->ack = (int)strtol(second, &end, 10);
		if (end == second || *end)
			return err_set(err, ERR_USAGE, "'%s' is not a descriptor", second);
	}
	if (channel_adopt(c->fd))
		return err_sys(err, errno, "cannot listen on descriptor %d", c->fd);
	return 0;
}

static int open_fifos(struct control *c, const char *text, struct err *err)
{
	size_t n = strcspn(text, ",");
	AUTO_CHAR *first = mem_strndup(text, n);

	c->owned = true;
	c->fd = channel_open(first);
	if (c->fd < 0)
		return err_sys(err, errno, "cannot open '%s'", first);
	if (text[n]) {
		c->ack = channel_open(text + n + 1);
		if (c->ack < 0)
			return err_sys(err, errno, "cannot open '%s'", text + n + 1);
	}
	return 0;
}

int control_open(struct control *c, const struct control_path *path, struct err *err)
{
	*c = (struct control){.fd = -1, .ack = -1};
	if (!path->text)
		return 0;
	c->open = true;
	return path->is_fifo ? open_fifos(c, path->text, err) : open_fds(c, path->text, err);
}

void control_close(struct control *c)
{
	if (c->owned && c->fd >= 0)
		close(c->fd);
	if (c->owned && c->ack >= 0)
		close(c->ack);
	buf_release(&c->line);
	*c = (struct control){.fd = -1, .ack = -1};
}

void control_parse(const char *line, struct control_command *out)
{
	static const struct {
		const char *word;
		enum control_verb verb;
	} verbs[] = {{"enable", CONTROL_ENABLE}, {"disable", CONTROL_DISABLE},
		     {"snapshot", CONTROL_SNAPSHOT}, {"stop", CONTROL_STOP},
		     {"ping", CONTROL_PING}, {"evlist", CONTROL_EVLIST}};
	size_t n = strcspn(line, " \t");
	const char *rest = line + n + strspn(line + n, " \t");

	*out = (struct control_command){.verb = CONTROL_UNKNOWN};
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i].word) == n && !strncmp(verbs[i].word, line, n))
			out->verb = verbs[i].verb;
	if (strlen(rest) < sizeof(out->argument))
		strcpy(out->argument, rest);
	else
		out->verb = CONTROL_UNKNOWN;
}

enum control_verb control_next(struct control *c, struct control_command *out)
{
	char *end;
	size_t n;

	*out = (struct control_command){0};
	if (c->fd < 0)
		return CONTROL_NONE;
	if (!c->ended && !channel_read(c->fd, &c->line)) {
		c->ended = true;
		if (c->line.n) /* the last line may lack its newline */
			buf_char(&c->line, '\n');
	}
	end = c->line.n ? memchr(c->line.at, '\n', c->line.n) : NULL;
	if (!end) {
		if (c->line.n > LINE_MOST)
			buf_clear(&c->line);
		return CONTROL_NONE;
	}
	*end = 0;
	control_parse(c->line.at, out);
	n = (size_t)(end + 1 - c->line.at);
	memmove(c->line.at, end + 1, c->line.n - n);
	c->line.n -= n;
	return out->verb;
}

void control_ack(struct control *c)
{
	channel_write(c->ack, "ack\n");
}

void control_events(const struct event_set *events, const char *how, struct buf *out)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		buf_str(out, ev->name);
		if (strchr(how, 'v')) {
			buf_str(out, ": ");
			attr_show(&ev->attr, out);
		} else if (strchr(how, 'F')) {
			buf_printf(out, ": sample_%s=%llu",
				   ev->attr.flags & ATTR_FREQ ? "freq" : "period",
				   (unsigned long long)ev->attr.sample_period);
		}
		buf_char(out, '\n');
	}
}
