// SPDX-License-Identifier: MIT
#include "event/format/tracing_data.h"

#include "base/cursor.h"
#include "os/tracing/tracefs.h"

#include <errno.h>
#include <unistd.h>

static const char magic[] = {23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

static const char *terminated(struct cursor *c)
{
	const void *zero = memchr(c->p, 0, cursor_left(c));

	if (!zero) {
		c->bad = true;
		return NULL;
	}
	return cursor_bytes(c, (size_t)((const uint8_t *)zero - c->p) + 1);
}

/* A part with its size, a u64, in front. */
static const char *sized(struct cursor *c, uint64_t *n)
{
	*n = cursor_u64(c);
	if (*n > cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	return cursor_bytes(c, *n);
}

static void skip_header_file(struct cursor *c, const char *name)
{
	const char *found = terminated(c);
	uint64_t n;

	if (!found || strcmp(found, name))
		c->bad = true;
	else
		sized(c, &n);
}

static void read_formats(struct tp_formats *f, const char *system, struct cursor *c,
			 uint32_t *unparsed)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && !c->bad; i++) {
		uint64_t n;
		const char *text = sized(c, &n);

		if (text && !tp_formats_add(f, system, text, n, NULL) && unparsed)
			++*unparsed;
	}
}

static void read_systems(struct tp_formats *f, struct cursor *c, uint32_t *unparsed)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && !c->bad; i++) {
		const char *system = terminated(c);

		if (system)
			read_formats(f, system, c, unparsed);
	}
}

int tracing_data_parse(struct tp_formats *f, const void *p, size_t n, uint32_t *unparsed,
		       struct err *err)
{
	static const uint16_t one = 1;
	struct cursor c = cursor_over(p, n, false);
	const void *start = cursor_bytes(&c, sizeof(magic));
	const char *version, *text;
	uint64_t size;

	if (!start || memcmp(start, magic, sizeof(magic)))
		return err_set(err, ERR_INPUT, "the tracing data does not begin as it should");
	version = terminated(&c);
	c.swap = cursor_u8(&c) == *(const uint8_t *)&one; /* a byte that is 1 for big-endian data */
	f->swap = c.swap;
	f->long_size = cursor_u8(&c);
	f->page_size = cursor_u32(&c);
	if (f->long_size != 4 && f->long_size != 8)
		f->long_size = 8;
	skip_header_file(&c, "header_page");
	skip_header_file(&c, "header_event");
	if (!c.bad)
		read_formats(f, "ftrace", &c, unparsed);
	if (!c.bad)
		read_systems(f, &c, unparsed);
	if (!c.bad)
		cursor_skip(&c, cursor_u32(&c)); /* kallsyms: symbols are read from elsewhere */
	if (!c.bad) {
		size = cursor_u32(&c);
		text = cursor_bytes(&c, size);
		if (text)
			tp_formats_add_printks(f, text, size);
	}
	if (!c.bad && version && strcmp(version, "0.6") >= 0) {
		text = sized(&c, &size);
		if (text)
			tp_formats_add_comms(f, text, size);
	}
	if (c.bad)
		return err_set(err, ERR_INPUT, "the tracing data ends early");
	return 0;
}

/* Appends a file of tracefs with its size. A file that cannot be read is written as empty, as by
 * perf: readers do without it. */
static void put_file(struct buf *out, const char *root, const char *name, size_t size_bytes)
{
	size_t at = out->n, n;
	uint64_t size;

	buf_fill(out, 0, size_bytes);
	n = out->n;
	if (tracefs_read(root, name, out))
		out->n = n;
	size = out->n - n;
	memcpy(out->at + at, &size, size_bytes); /* low bytes first: see the assertion below */
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "put_file cuts a u64 to its low bytes");

static bool first_of_its_name(const struct event_set *set, size_t i)
{
	for (size_t j = 0; j < i; j++) {
		const struct event *a = set->events.at[j], *b = set->events.at[i];

		if (a->tracepoint && !strcmp(a->system, b->system) &&
		    !strcmp(a->tracepoint, b->tracepoint))
			return false;
	}
	return true;
}

/* Appends a u32 count and the formats of the set's tracepoints in one system. */
static int put_system(struct buf *out, const struct event_set *set, const char *root,
		      const char *system, struct err *err)
{
	size_t at = out->n;
	uint32_t count = 0;

	buf_u32(out, 0);
	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];
		size_t size_at = out->n;
		uint64_t size;

		if (!ev->tracepoint || strcmp(ev->system, system) || !first_of_its_name(set, i))
			continue;
		buf_u64(out, 0);
		if (tracefs_format(root, system, ev->tracepoint, out, err))
			return -1;
		size = out->n - size_at - sizeof(size);
		memcpy(out->at + size_at, &size, sizeof(size));
		count++;
	}
	memcpy(out->at + at, &count, sizeof(count));
	return 0;
}

static bool first_of_its_system(const struct event_set *set, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (set->events.at[j]->tracepoint &&
		    !strcmp(set->events.at[j]->system, set->events.at[i]->system))
			return false;
	return true;
}

int tracing_data_build(const struct event_set *set, const char *root, struct buf *out,
		       struct err *err)
{
	size_t at;
	uint32_t systems = 0;

	buf_add(out, magic, sizeof(magic));
	buf_add(out, "0.6", 4);
	buf_char(out, 0); /* little-endian */
	buf_char(out, sizeof(long));
	buf_u32(out, (uint32_t)sysconf(_SC_PAGESIZE));
	buf_add(out, "header_page", 12);
	put_file(out, root, "events/header_page", 8);
	buf_add(out, "header_event", 13);
	put_file(out, root, "events/header_event", 8);
	if (put_system(out, set, root, "ftrace", err))
		return -1;
	at = out->n;
	buf_u32(out, 0);
	for (size_t i = 0; i < set->events.n; i++) {
		const char *system = set->events.at[i]->system;

		if (!system || !strcmp(system, "ftrace") || !first_of_its_system(set, i))
			continue;
		buf_add(out, system, strlen(system) + 1);
		if (put_system(out, set, root, system, err))
			return -1;
		systems++;
	}
	memcpy(out->at + at, &systems, sizeof(systems));
	buf_u32(out, 0); /* kallsyms: never of use, and slow to read */
	put_file(out, root, "printk_formats", 4);
	put_file(out, root, "saved_cmdlines", 8);
	return 0;
}

int tracing_data_attach(struct event_set *set, const char *root, struct tp_formats *f,
			struct err *err)
{
	struct buf b = {0};
	int ret = 0;

	for (size_t i = 0; i < set->events.n && !ret; i++) {
		struct event *ev = set->events.at[i];

		if (!ev->tracepoint)
			continue;
		ev->format = tp_formats_find(f, (uint32_t)ev->attr.config);
		if (ev->format)
			continue;
		buf_clear(&b);
		ret = tracefs_format(root, ev->system, ev->tracepoint, &b, err);
		if (!ret) {
			ev->format = tp_formats_add(f, ev->system, b.at, b.n, err);
			ret = ev->format ? 0 : -1;
		}
	}
	if (!ret) {
		buf_clear(&b);
		if (!tracefs_read(root, "printk_formats", &b))
			tp_formats_add_printks(f, b.at, b.n);
	}
	buf_release(&b);
	return ret;
}
