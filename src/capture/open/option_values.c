// SPDX-License-Identifier: MIT
#include "capture/open/option_values.h"

#include "base/options/options.h"
#include "event/registers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define STACK_DUMP_DEFAULT 8192
#define STACK_DUMP_MOST	   65528 /* a record is shorter than 64 KiB, and sizes are multiples of 8 */

int value_callgraph(const char *text, struct sampling *s, struct err *err)
{
	size_t n = strcspn(text, ",");
	const char *more = text[n] ? text + n + 1 : NULL;
	bool defer = n == 2 && !strncmp(text, "fp", n) && more && !strcmp(more, "defer");
	bool grows = n == 5 && !strncmp(text, "dwarf", n) && more && !strcmp(more, "auto");
	uint64_t v = 0;

	if (more && !defer && !grows && parse_u64(more, &v))
		return err_set(err, ERR_USAGE, "'%s' is not a number, in call graph '%s'", more,
			       text);
	if (n == 2 && !strncmp(text, "fp", n)) {
		if (v > UINT16_MAX)
			return err_set(err, ERR_USAGE, "stacks of %s frames are too deep", more);
		s->callgraph = CALLGRAPH_FP;
		s->max_stack = (uint16_t)v;
		s->defer = defer;
	} else if (n == 5 && !strncmp(text, "dwarf", n)) {
		if (more && !grows && (!v || v > STACK_DUMP_MOST))
			return err_set(err, ERR_USAGE,
				       "'%s' is not a stack size: 8 to %d bytes are possible", more,
				       STACK_DUMP_MOST);
		s->callgraph = CALLGRAPH_DWARF;
		s->stack_auto = grows;
		s->stack_dump = more && !grows ? (uint32_t)((v + 7) & ~7ull) : STACK_DUMP_DEFAULT;
	} else if (n == 3 && !strncmp(text, "lbr", n) && !more) {
		s->callgraph = CALLGRAPH_LBR;
	} else if (n == 2 && !strncmp(text, "no", n) && !more) {
		s->callgraph = CALLGRAPH_NONE;
	} else {
		return err_set(err, ERR_USAGE,
			       "'%s' is not a call graph mode: fp, dwarf or lbr", text);
	}
	return 0;
}

static const struct {
	const char *name;
	int clock;
} clocks[] = {{"monotonic", 1}, {"mono", 1}, {"monotonic_raw", 4}, {"raw", 4}, {"boottime", 7},
	      {"boot", 7}, {"realtime", 0}, {"real", 0}, {"tai", 11}};

void clock_names(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		buf_word(out, clocks[i].name);
}

int value_clock(const char *text, int *clock, struct err *err)
{
	const char *name = strncasecmp(text, "CLOCK_", 6) ? text : text + 6;
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcasecmp(name, clocks[i].name)) {
			*clock = clocks[i].clock;
			return 0;
		}
	if (parse_u64(text, &v) || v > 64)
		return err_set(err, ERR_USAGE,
			       "'%s' is not a clock: mono, raw, boot, real or tai", text);
	*clock = (int)v;
	return 0;
}

uint64_t all_user_registers(void)
{
#if defined(__x86_64__)
	return 0xff0fff; /* without the segments, which a 64-bit kernel doesn't take */
#elif defined(__aarch64__)
	return 0x1ffffffff;
#elif defined(__riscv)
	return 0xffffffff;
#elif defined(__powerpc__)
	return 0x1fffffffffff; /* those behind mmcra are for samples of the kernel's registers */
#else
	uint64_t mask = 0;

	for (unsigned int i = 0; i < 64 && register_name(NULL, i); i++)
		mask |= 1ull << i;
	return mask;
#endif
}

uint64_t leaf_registers(void)
{
#if defined(__aarch64__)
	return 1ull << 30; /* lr */
#else
	return 0;
#endif
}

int value_registers(const char *text, uint64_t *mask, struct err *err)
{
	uint64_t all = 0;

	if (!text) {
		*mask = all_user_registers();
		return 0;
	}
	while (*text) {
		char name[32];
		size_t n = strcspn(text, ",");
		uint64_t one;

		if (n >= sizeof(name))
			n = sizeof(name) - 1;
		memcpy(name, text, n);
		name[n] = 0;
		one = register_mask(NULL, name);
		if (!one) {
			err_set(err, ERR_USAGE, "this machine has no register '%s'", name);
			return err_hint(err, "'?' in its place lists them");
		}
		all |= one;
		text += n + (text[n] == ',');
	}
	*mask = all;
	return 0;
}

/* Sets *size in bytes; text without a unit is in pages. */
static int ring_size(const char *text, size_t n, size_t *size, struct err *err)
{
	AUTO_CHAR *one = mem_strndup(text, n);
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = page;
	bool is_pages = n && one[n - 1] >= '0' && one[n - 1] <= '9';
	uint64_t v;

	if (is_pages ? parse_u64(one, &v) : parse_size(one, &v))
		return err_set(err, ERR_USAGE, "'%s' is not a number of pages or a size", one);
	if (is_pages && v < (1ull << 40) / page)
		v *= page;
	if (!v || v >= 1ull << 40)
		return err_set(err, ERR_USAGE, "a ring of '%s' is not possible", one);
	while (bytes < v)
		bytes <<= 1;
	*size = bytes;
	return 0;
}

int value_ring(const char *text, size_t *size, size_t *aux, struct err *err)
{
	size_t n = strcspn(text, ","), first = *size, second = *aux;

	if ((n && ring_size(text, n, &first, err)) ||
	    (text[n] && ring_size(text + n + 1, strlen(text + n + 1), &second, err)))
		return -1;
	*size = first;
	*aux = second;
	return 0;
}

int value_frequency(const char *text, uint64_t max, uint64_t *hz, struct err *err)
{
	uint64_t v;

	if (!strcasecmp(text, "max")) {
		if (!max)
			return err_set(err, ERR_SYSTEM,
				       "cannot read the highest possible frequency");
		*hz = max;
		return 0;
	}
	if (parse_u64(text, &v) || !v)
		return err_set(err, ERR_USAGE, "'%s' is not a frequency", text);
	*hz = v;
	return 0;
}

int value_delay(const char *text, struct delay *d, struct err *err)
{
	struct delay out = {.given = true};

	if (!strcmp(text, "-1")) {
		out.never = true;
		vec_release(&d->spans);
		*d = out;
		return 0;
	}
	for (const char *p = text; *p;) {
		char *end;
		struct on_span s = {.from = strtoull(p, &end, 10)};
		uint64_t after = out.spans.n ? vec_last(&out.spans)->to : 0;

		if (end == p || *p == '-')
			goto bad;
		if (*end == '-') {
			p = end + 1;
			s.to = strtoull(p, &end, 10);
			if (end == p || s.to <= s.from)
				goto bad;
		}
		/* Spans follow each other; one without an end can only be alone. */
		if ((out.spans.n && (s.from <= after || !s.to)) || (*end && (*end != ',' || !s.to)))
			goto bad;
		vec_add(&out.spans, s);
		p = *end ? end + 1 : end;
	}
	if (!out.spans.n)
		goto bad;
	vec_release(&d->spans);
	*d = out;
	return 0;
bad:
	vec_release(&out.spans);
	return err_set(err, ERR_USAGE,
		       "'%s' is neither a delay in ms nor ranges like 10-20,30-40", text);
}

int value_rotation(const char *text, struct rotation *r, struct err *err)
{
	struct rotation out = {.on = true};
	size_t n = strlen(text);
	char *end;
	unsigned long long v;

	if (!n || !strcmp(text, "signal")) {
		out.on_signal = true;
		*r = out;
		return 0;
	}
	v = strtoull(text, &end, 10);
	if (end != text && *end && !end[1] && v) {
		static const char units[] = "smhd";
		static const unsigned int seconds[] = {1, 60, 3600, 86400};
		const char *u = strchr(units, *end);

		if (u) {
			out.seconds = v * seconds[u - units];
			*r = out;
			return 0;
		}
	}
	if (text[n - 1] >= '0' && text[n - 1] <= '9')
		out.bytes = 0;
	else if (parse_size(text, &out.bytes))
		out.bytes = 0;
	if (!out.bytes)
		return err_set(err, ERR_USAGE,
			       "'%s' is neither 'signal' nor a size (30M) nor a time (10s)", text);
	*r = out;
	return 0;
}

int value_synth(const char *text, unsigned int *bits, struct err *err)
{
	static const char *const names[] = {"task", "mmap", "cgroup"};
	unsigned int all = 0;

	if (!strcmp(text, "all")) {
		*bits = SYNTH_TASK | SYNTH_MMAP | SYNTH_CGROUP;
		return 0;
	}
	if (!strcmp(text, "no")) {
		*bits = 0;
		return 0;
	}
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, ","), i = 0;

		while (i < ARRAY_SIZE(names) &&
		       (strlen(names[i]) != n || strncmp(names[i], p, n)))
			i++;
		if (i == ARRAY_SIZE(names))
			return err_set(err, ERR_USAGE,
				       "'%s' is not one of no, all, task, mmap, cgroup", text);
		all |= 1u << i;
		p += n + (p[n] == ',');
	}
	*bits = all;
	return 0;
}

int value_control(const char *text, struct control_path *c, struct err *err)
{
	if (!strncmp(text, "fd:", 3) && text[3])
		*c = (struct control_path){false, text + 3};
	else if (!strncmp(text, "fifo:", 5) && text[5])
		*c = (struct control_path){true, text + 5};
	else
		return err_set(err, ERR_USAGE,
			       "'%s' is neither 'fd:N[,N]' nor 'fifo:PATH[,PATH]'", text);
	return 0;
}

int value_share(const char *text, double *share, struct err *err)
{
	char *end;
	const double percent = strtod(text, &end);

	end += *end == '%';
	if (end == text || *end || !(percent > 0) || percent >= 100)
		return err_set(err, ERR_USAGE, "'%s' is not a share, such as 5%%", text);
	*share = percent / 100;
	return 0;
}
