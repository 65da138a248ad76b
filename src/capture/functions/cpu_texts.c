// SPDX-License-Identifier: MIT
#include "capture/functions/cpu_texts.h"

#include <ctype.h>
#include <string.h>

#define COMM_WIDTH 16 /* of the tracer function's first column; a name may hold anything */
#define STRIP_MARK " |  "

void cpu_texts_init(struct cpu_texts *t, size_t cpus)
{
	memset(vec_extend(t, cpus), 0, cpus * sizeof(*t->at));
}

void cpu_texts_release(struct cpu_texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		buf_release(&t->at[i].text);
	vec_release(t);
}

/* "123.456789" in us; a clock that counts something else has no point. */
static const char *cpu_texts_parse_time(const char *p, const char *end, uint64_t *time)
{
	uint64_t v = 0;

	if (p == end || !isdigit((unsigned char)*p))
		return NULL;
	for (; p < end && (isdigit((unsigned char)*p) || *p == '.'); p++)
		if (*p != '.')
			v = v * 10 + (uint64_t)(*p - '0');
	*time = v;
	return p;
}

static bool cpu_texts_line_time(const struct cpu_texts *t, const char *p, const char *end,
				uint64_t *time)
{
	if (t->graph) {
		while (p < end && *p == ' ')
			p++;
		p = cpu_texts_parse_time(p, end, time);
		return p && end - p > 2 && p[0] == ' ' && p[1] == '|';
	}
	if (end - p <= COMM_WIDTH || p[COMM_WIDTH] != '-')
		return false;
	for (p += COMM_WIDTH; (p = memchr(p + 1, ':', (size_t)(end - p - 1)));) {
		const char *from = p;

		while (isdigit((unsigned char)from[-1]) || from[-1] == '.')
			from--;
		if (from < p && from[-1] == ' ' && cpu_texts_parse_time(from, p, time) == p)
			return true;
	}
	return false;
}

/* Finds the next piece of a CPU: the first whole line, for function_graph with the lines without a
 * time before it. */
static bool cpu_texts_find_head(const struct cpu_texts *t, struct cpu_text *c, bool at_end)
{
	const char *begin = c->text.at + c->begin, *end = c->text.at + c->text.n, *p = begin, *line;

	if (c->head_n || c->begin == c->text.n)
		return c->head_n;
	while ((line = memchr(p, '\n', (size_t)(end - p)))) {
		const bool timed = cpu_texts_line_time(t, p, line, &c->head);

		p = line + 1;
		if (!timed && t->graph)
			continue;
		if (!timed)
			c->head = c->taken;
		c->head_n = (size_t)(p - begin);
		return true;
	}
	if (!at_end)
		return false;
	c->head = c->taken;
	c->head_n = (size_t)(end - begin);
	return true;
}

void cpu_texts_add(struct cpu_texts *t, size_t cpu, const char *text, size_t n)
{
	struct cpu_text *c = &t->at[cpu];
	const char *line, *end;

	if (c->begin > c->text.n / 2) {
		memmove(c->text.at, c->text.at + c->begin, c->text.n - c->begin);
		c->text.n -= c->begin;
		c->begin = 0;
	}
	buf_add(&c->text, text, n);
	/* the last line with a time has the highest one */
	for (end = c->text.at + c->text.n; end > c->text.at + c->begin; end = line) {
		uint64_t time;

		line = memrchr(c->text.at + c->begin, '\n',
			       (size_t)(end - 1 - c->text.at) - c->begin);
		line = line ? line + 1 : c->text.at + c->begin;
		if (end[-1] == '\n' && cpu_texts_line_time(t, line, end - 1, &time)) {
			c->last = MAX(c->last, time);
			break;
		}
	}
}

/* Appends a piece, without the columns of times when they are to be stripped. */
static void cpu_texts_write(const struct cpu_texts *t, const char *p, size_t n, struct buf *out)
{
	const char *end = p + n;

	while (t->strip && p < end) {
		const char *line = memchr(p, '\n', (size_t)(end - p)), *mark;
		uint64_t time;

		line = line ? line + 1 : end;
		mark = cpu_texts_line_time(t, p, line, &time) ? memchr(p, '|', (size_t)(line - p))
							      : NULL;
		if (mark)
			p = MIN(mark - 1 + strlen(STRIP_MARK), line);
		buf_add(out, p, (size_t)(line - p));
		p = line;
	}
	buf_add(out, p, (size_t)(end - p));
}

static void cpu_texts_take_head(const struct cpu_texts *t, struct cpu_text *c, struct buf *out)
{
	cpu_texts_write(t, c->text.at + c->begin, c->head_n, out);
	c->begin += c->head_n;
	c->taken = c->head;
	c->head_n = 0;
}

void cpu_texts_take(struct cpu_texts *t, bool at_end, struct buf *out)
{
	uint64_t bound = at_end ? UINT64_MAX : t->newest;

	for (size_t i = 0; i < t->n; i++) {
		t->newest = MAX(t->newest, t->at[i].last);
		if (!at_end && !t->at[i].exhausted)
			bound = MIN(bound, t->at[i].last);
	}
	for (;;) {
		struct cpu_text *first = NULL;
		uint64_t next = bound;

		for (size_t i = 0; i < t->n; i++) {
			struct cpu_text *c = &t->at[i];

			if (!cpu_texts_find_head(t, c, at_end))
				continue;
			if (!first || c->head < first->head) {
				if (first)
					next = MIN(next, first->head);
				first = c;
			} else {
				next = MIN(next, c->head);
			}
		}
		if (!first || first->head > bound)
			return;
		/* as many of this CPU as come before all others */
		do
			cpu_texts_take_head(t, first, out);
		while (cpu_texts_find_head(t, first, at_end) && first->head <= next);
	}
}
