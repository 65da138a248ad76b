// SPDX-License-Identifier: MIT
#include "event/filter/filter.h"

#include "base/options/options.h"
#include "event/filter/filter_text.h"
#include "os/machine/pmu.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int filter_fail(struct err *err, const char *text, const char *at, const char *fmt, ...)
{
	size_t place = (size_t)(at - text), cut = place > 40 ? place - 40 : 0;
	char what[300], line[71];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "%s", text + cut);
	for (char *p = line; *p; p++)
		if (isspace((unsigned char)*p))
			*p = ' ';
	err_set(err, ERR_USAGE, "filter '%.200s': %s", text, what);
	return err_hint(err, "filter syntax error: '%s%s'\n%*s\\___ %s", cut ? ".." : "", line,
			(int)(22 + (cut ? 2 : 0) + place - cut), "", what);
}

int filter_suggest(struct err *err, const char *word, size_t len, const char *const *names,
		   size_t n)
{
	char copy[64], old[sizeof(err->text)];
	const char *near;

	if (!err || len >= sizeof(copy))
		return -1;
	memcpy(copy, word, len);
	copy[len] = 0;
	near = nearest_name(copy, names, n);
	if (!near)
		return -1;
	memcpy(old, err->text, sizeof(old));
	snprintf(err->text, sizeof(err->text), "%.600s; did you mean '%.100s'?", old, near);
	return -1;
}

int filter_refused(struct err *err, const struct event *ev, int sys)
{
	err_set(err, ERR_USAGE, "the kernel refuses the filter \"%s\" for '%s': %s", ev->filter,
		ev->name, strerror(sys));
	return strstr(ev->filter, "CPUS{")
		       ? err_hint(err,
				  "CPUS{...} needs Linux 6.6, and CPUs that this machine can have")
		       : -1;
}

enum filter_kind filter_kind_of(const struct event *ev, const char *pmu_root)
{
	struct arena arena = {0};
	const char *n = NULL;

	if (ev->attr.type == TYPE_TRACEPOINT)
		return FILTER_FIELDS;
	if (ev->pmu && pmu_root)
		n = pmu_text(pmu_root, ev->pmu, "nr_addr_filters", &arena);
	n = n && strtoul(n, NULL, 10) ? n : NULL;
	arena_release(&arena);
	return n ? FILTER_ADDRESSES : FILTER_SAMPLES;
}
