// SPDX-License-Identifier: MIT
#include "probe/made_probes.h"

#include "os/process/self.h"
#include "os/tracing/probe_events.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GROUP	     "perf_"
#define COMMAND_MOST 20 /* characters of a command's name in a group's: that has at most 63 */

struct made_probe {
	enum probe_events which;
	char *event;
};
struct made_probes {
	char *tracefs, *group;
	VEC(struct made_probe) list;
};

static int remove_probe(const char *tracefs, enum probe_events which, const char *group,
			const char *event)
{
	AUTO_CHAR *line = mem_printf("-:%s/%s", group, event);
	struct err err = {0};
	int fd = probe_events_open(tracefs, which, &err), got;

	if (fd < 0)
		return 0;
	got = probe_events_write(tracefs, fd, line, &err);
	close(fd);
	return got ? err.sys : 0;
}

#define TRIES	 100
#define PAUSE_NS 10000000 /* between tries */

/* Events that were just closed may hold their probe a little longer. */
void made_probes_remove(void *v)
{
	static const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct made_probes *m = v;

	if (!m)
		return;
	for (size_t i = 0; i < m->list.n; i++) {
		const struct made_probe *p = &m->list.at[i];

		for (int n = 0;
		     n < TRIES && remove_probe(m->tracefs, p->which, m->group, p->event) == EBUSY;
		     n++)
			nanosleep(&pause, NULL);
		free(p->event);
	}
	vec_release(&m->list);
	free(m->group);
	free(m->tracefs);
	free(m);
}

bool made_probes_owner(const char *group, struct made_owner *out)
{
	char *end;
	long pid;

	if (strncmp(group, GROUP, strlen(GROUP)) || !isdigit((unsigned char)group[strlen(GROUP)]))
		return false;
	pid = strtol(group + strlen(GROUP), &end, 10);
	if ((*end && *end != '_') || pid <= 0 || pid > INT_MAX)
		return false;
	out->pid = (int)pid;
	out->command = end + (*end == '_');
	out->is_gone = kill(out->pid, 0) && errno == ESRCH;
	return true;
}

/* "_record" for `perf record`. */
static void add_command(struct buf *out)
{
	AUTO_CHAR *command = self_command();

	if (command)
		buf_char(out, '_');
	for (size_t i = 0; command && command[i] && i < COMMAND_MOST; i++)
		buf_char(out, isalnum((unsigned char)command[i]) ? command[i] : '_');
}

/* What a perf that was killed has left. The kernel keeps those that are in use. */
static void remove_left(const char *tracefs, enum probe_events which)
{
	AUTO_BUF text = {0};
	struct arena arena = {0};
	char *line, *rest;

	if (probe_events_read(tracefs, which, &text, NULL))
		return;
	rest = (char *)buf_text(&text);
	while ((line = strsep(&rest, "\n"))) {
		struct made_owner owner;
		struct probe_def d;

		if (*line &&
		    probe_def_parse(line, strlen(line), which == PROBES_OF_USER, &arena, &d) &&
		    made_probes_owner(d.group, &owner) && owner.is_gone)
			remove_probe(tracefs, which, d.group, d.event);
		if (*line)
			probe_def_release(&d);
	}
	arena_release(&arena);
}

struct made_probes *made_probes_new(const char *tracefs)
{
	struct made_probes *m = NEW(struct made_probes);
	AUTO_BUF command = {0};

	add_command(&command);
	m->tracefs = mem_strdup(tracefs);
	m->group = mem_printf(GROUP "%d%s", (int)getpid(), buf_text(&command));
	for (enum probe_events w = PROBES_OF_KERNEL; w <= PROBES_OF_USER; w++)
		remove_left(tracefs, w);
	return m;
}

const char *made_probes_group(const struct made_probes *m)
{
	return m->group;
}

static bool made_probes_has(const struct made_probes *m, enum probe_events which, const char *event)
{
	for (size_t i = 0; i < m->list.n; i++)
		if (m->list.at[i].which == which && !strcmp(m->list.at[i].event, event))
			return true;
	return false;
}

int made_probes_write(struct made_probes *m, const struct probe_def *d, struct err *err)
{
	const enum probe_events which = d->file ? PROBES_OF_USER : PROBES_OF_KERNEL;
	int fd = probe_events_open(m->tracefs, which, err), got;
	AUTO_BUF line = {0};

	if (fd < 0)
		return -1;
	probe_def_text(d, &line);
	got = probe_events_write(m->tracefs, fd, buf_text(&line), err);
	close(fd);
	if (!got && !made_probes_has(m, which, d->event))
		vec_add(&m->list, (struct made_probe){which, mem_strdup(d->event)});
	return got;
}
