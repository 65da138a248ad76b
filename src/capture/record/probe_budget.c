// SPDX-License-Identifier: MIT
#include "capture/record/probe_budget.h"

#include "base/monotonic.h"
#include "os/tracing/probe_events.h"
#include "os/tracing/tracefs.h"
#include "probe/definition.h"
#include "probe/function_probes.h"
#include "probe/probe_cost.h"

#include <string.h>

/* ns between two looks: a program may run its hottest code first, so looks are frequent then. */
#define LOOK_FIRST_NS 20000000
#define LOOK_NS	      100000000
#define FIRST_NS      1000000000
/* What probes may cost at once: their share of so much time. */
#define START_NS 100000000
#define SAVED_NS 1000000000

static bool budget_knows(const struct probe_budget *b, const struct event *ev)
{
	for (size_t i = 0; i < b->events.n; i++)
		if (b->events.at[i].event == ev)
			return true;
	return false;
}

/* Adds the event that has this probe. */
static void budget_add(struct probe_budget *b, const struct event_set *events,
		       const struct probe_def *d)
{
	for (size_t i = 0; i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (ev->system && !strcmp(ev->system, d->group) &&
		    !strcmp(ev->tracepoint, d->event) && !budget_knows(b, ev))
			vec_add(&b->events, (struct budget_event){.event = ev});
	}
}

static int budget_find_events(struct probe_budget *b, const char *tracefs,
			      const struct event_set *events, struct err *err)
{
	struct arena arena = {0};
	AUTO_BUF text = {0};
	char *line, *rest;

	if (probe_events_read(tracefs, PROBES_OF_USER, &text, err))
		return -1;
	rest = (char *)buf_text(&text);
	while ((line = strsep(&rest, "\n"))) {
		struct probe_def d;

		if (!*line)
			continue;
		if (probe_def_parse(line, strlen(line), true, &arena, &d))
			budget_add(b, events, &d);
		probe_def_release(&d);
	}
	arena_release(&arena);
	if (b->events.n)
		return 0;
	return err_set(err, ERR_USAGE,
		       "--probe-budget is for probes in programs: none is recorded");
}

int probe_budget_begin(struct probe_budget *b, double share, struct event_set *events,
		       struct err *err)
{
	struct arena arena = {0};
	const char *tracefs = tracefs_find(NULL, &arena);
	int got;

	*b = (struct probe_budget){.share = share, .left_ns = share * START_NS};
	if (!tracefs)
		got = err_set(err, ERR_UNSUPPORTED, "--probe-budget needs tracefs");
	else
		got = budget_find_events(b, tracefs, events, err) ||
				      probe_cost_measure(tracefs, &b->hit_ns, err)
			      ? -1
			      : 0;
	arena_release(&arena);
	b->begun_ns = b->looked_ns = monotonic_ns();
	return got;
}

void probe_budget_release(struct probe_budget *b)
{
	vec_release(&b->events);
	*b = (struct probe_budget){0};
}

static uint64_t look_at(const struct probe_budget *b)
{
	return b->looked_ns + (b->looked_ns - b->begun_ns < FIRST_NS ? LOOK_FIRST_NS : LOOK_NS);
}

int probe_budget_due(const struct probe_budget *b)
{
	const uint64_t now = monotonic_ns(), at = look_at(b);

	if (!b->share)
		return INT32_MAX;
	return at > now ? (int)((at - now) / 1000000) + 1 : 0;
}

/* Counts hits since the last look. Returns the sum. */
static uint64_t budget_count(struct probe_budget *b, const struct capture *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < b->events.n; i++) {
		struct budget_event *e = &b->events.at[i];
		const uint64_t hits = e->closed ? e->hits : capture_hits(c, e->event);

		e->recent = hits == UINT64_MAX || hits < e->hits ? 0 : hits - e->hits;
		e->hits += e->recent;
		sum += e->recent;
	}
	return sum;
}

static struct budget_event *budget_hottest(struct probe_budget *b)
{
	struct budget_event *most = NULL;

	for (size_t i = 0; i < b->events.n; i++) {
		struct budget_event *e = &b->events.at[i];

		if (!e->closed && e->recent && (!most || e->recent > most->recent))
			most = e;
	}
	return most;
}

/* True when both are closed together. */
static bool budget_same_part(const struct event *a, const struct event *b)
{
	unsigned int of_a, of_b;

	return a == b ||
	       (!strcmp(a->system, b->system) && function_probes_part(a->tracepoint, NULL, &of_a) &&
		function_probes_part(b->tracepoint, NULL, &of_b) && of_a == of_b);
}

/* Closes the event and those of its part. Returns their recent hits. */
static uint64_t budget_close(struct probe_budget *b, const struct event *ev,
			     bool (*close)(void *ctx, const struct budget_event *e), void *ctx)
{
	uint64_t hits = 0;

	for (size_t i = 0; i < b->events.n; i++) {
		struct budget_event *e = &b->events.at[i];

		if (e->closed || !budget_same_part(e->event, ev))
			continue;
		if (close(ctx, e))
			hits += e->recent;
		e->closed = true;
	}
	return hits;
}

void probe_budget_look(struct probe_budget *b, const struct capture *c,
		       bool (*close)(void *ctx, const struct budget_event *e), void *ctx)
{
	const uint64_t now = monotonic_ns();
	struct budget_event *e;
	uint64_t hits;
	double may;

	if (!b->share || now < look_at(b))
		return;
	may = b->share * (double)(now - b->looked_ns);
	hits = budget_count(b, c);
	b->looked_ns = now;
	b->left_ns = MIN(b->left_ns + may, b->share * SAVED_NS) - (double)(hits * b->hit_ns);
	if (b->left_ns >= 0)
		return;
	while ((double)(hits * b->hit_ns) > may && (e = budget_hottest(b)))
		hits -= budget_close(b, e->event, close, ctx);
	b->left_ns = 0;
}
