// SPDX-License-Identifier: MIT
#include "os/sensor/drm.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/options/options.h"
#include "os/files/text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

/* The longest prefix that fits says what a key is. */
static const struct key_kind {
	const char *prefix, *unit, *about;
	bool grows;
} kinds[] = {
	{"drm-engine-capacity-", "capacity", "How many engines of the kind there are.", false},
	{"drm-engine-", "ns", "Time that engines of the kind worked.", true},
	{"drm-total-cycles-", "cycles", "Cycles that could have been used.", true},
	{"drm-cycles-", "cycles", "Cycles that engines of the kind worked.", true},
	{"drm-maxfreq-", "hz", "Highest clock rate of the engine.", false},
	{"drm-total-", "bytes", "Memory of buffers, shared ones included.", false},
	{"drm-shared-", "bytes", "Memory of buffers that are shared.", false},
	{"drm-resident-", "bytes", "Memory of buffers that is there now.", false},
	{"drm-purgeable-", "bytes", "Memory that may be taken back.", false},
	{"drm-active-", "bytes", "Memory of buffers that engines work on.", false},
	{"drm-memory-", "bytes", "Memory that is there now.", false},
};

static const struct key_kind *drm_kind_of(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(key, kinds[i].prefix, strlen(kinds[i].prefix)))
			return &kinds[i];
	return NULL;
}

/* One "KEY: VALUE" line: cuts key and value out of it, in place. False at the end of the text. */
static bool next_line(char **p, char **key, char **value)
{
	while (**p) {
		char *line = *p, *end = line + strcspn(line, "\n"), *colon;

		*p = *end ? end + 1 : end;
		*end = 0;
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = 0;
		*key = line;
		*value = colon + 1 + strspn(colon + 1, " \t");
		return true;
	}
	return false;
}

static int64_t drm_number(const char *text)
{
	static const struct {
		const char *unit;
		uint64_t times;
	} units[] = {{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
		     {"kHz", 1000},    {"KHz", 1000},	 {"MHz", 1000000}};
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	end += strspn(end, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strncmp(end, units[i].unit, strlen(units[i].unit)) &&
		    __builtin_mul_overflow(v, units[i].times, &v))
			v = UINT64_MAX;
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

#define FDINFO_MOST 65536

static bool known(const struct drm *d, const char *pmu, const char *name)
{
	for (size_t i = 0; i < d->keys.n; i++)
		if (!strcmp(d->keys.at[i].pmu, pmu) && !strcmp(d->keys.at[i].name, name))
			return true;
	return false;
}

static void drm_add_keys(struct drm *d, const char *proc_root, char *text)
{
	const char *driver = NULL, *pmu;
	AUTO_CHAR *copy = mem_strdup(text);
	char *p = copy, *key, *value;

	while (!driver && next_line(&p, &key, &value))
		if (!strcmp(key, "drm-driver"))
			driver = arena_strdup(&d->arena, value);
	if (!driver || !*driver)
		return;
	pmu = arena_printf(&d->arena, "drm_%s", driver);
	while (next_line(&text, &key, &value)) {
		const struct key_kind *kind = drm_kind_of(key);
		struct drm_key k = {.pmu = pmu};

		if (!kind || known(d, pmu, key))
			continue;
		k.name = arena_strdup(&d->arena, key);
		k.unit = kind->unit;
		k.about = kind->about;
		k.readout = (struct readout){.kind = READOUT_DRM,
					     .grows = kind->grows,
					     .path = arena_strdup(&d->arena, proc_root),
					     .driver = driver,
					     .key = k.name};
		vec_add(&d->keys, k);
	}
}

static int drm_by_name(const void *a, const void *b)
{
	const struct drm_key *x = a, *y = b;
	int order = strcmp(x->pmu, y->pmu);

	return order ? order : strcmp(x->name, y->name);
}

void drm_read(struct drm *d, const char *dev_root, const char *proc_root)
{
	struct names files = {0};
	struct buf text = {0};

	*d = (struct drm){0};
	text_names(dev_root, NULL, true, false, &d->arena, &files);
	for (size_t i = 0; i < files.n; i++) {
		AUTO_CHAR *path = mem_printf("%s/%s", dev_root, files.at[i]);
		char name[32];
		AUTO_FD fd = -1;

		/* card0 and renderD128 are the same device; only the latter takes no mastership */
		if (strncmp(files.at[i], "renderD", 7))
			continue;
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		snprintf(name, sizeof(name), "self/fdinfo/%d", fd);
		buf_clear(&text);
		if (!text_read(proc_root, name, FDINFO_MOST, &text)) {
			(void)buf_text(&text);
			drm_add_keys(d, proc_root, text.at);
		}
	}
	if (d->keys.n)
		qsort(d->keys.at, d->keys.n, sizeof(*d->keys.at), drm_by_name);
	vec_release(&files);
	buf_release(&text);
}

void drm_release(struct drm *d)
{
	vec_release(&d->keys);
	arena_release(&d->arena);
}

bool drm_is_of(const struct drm_key *k, const char *pmu)
{
	return !strcasecmp(k->pmu, pmu) || glob_match(pmu, k->pmu);
}

struct sum {
	const char *proc_root, *driver, *key;
	struct intern clients; /* "DEVICE CLIENT" of those that are counted */
	struct buf text;
	int64_t value;
};

static void add_client(struct sum *s, char *text)
{
	const char *driver = "", *device = "", *client = "", *found = NULL;
	char *key, *value, id[128];
	uint32_t before = (uint32_t)s->clients.entries.n;

	while (next_line(&text, &key, &value)) {
		if (!strcmp(key, "drm-driver"))
			driver = value;
		else if (!strcmp(key, "drm-pdev"))
			device = value;
		else if (!strcmp(key, "drm-client-id"))
			client = value;
		else if (!strcmp(key, s->key))
			found = value;
	}
	if (!found || strcmp(driver, s->driver))
		return;
	snprintf(id, sizeof(id), "%.60s %.60s", device, client);
	/* without an id, each open file is a client of its own */
	if (*client && intern_str(&s->clients, id) < before)
		return;
	if (__builtin_add_overflow(s->value, drm_number(found), &s->value))
		s->value = INT64_MAX;
}

static void drm_add_process(struct sum *s, const char *pid)
{
	AUTO_CHAR *dir = mem_printf("%s/%s", s->proc_root, pid);
	struct arena arena = {0};
	struct names fds = {0};

	text_names(dir, "fd", false, false, &arena, &fds);
	for (size_t i = 0; i < fds.n; i++) {
		AUTO_CHAR *link = mem_printf("%s/fd/%s", dir, fds.at[i]);
		AUTO_CHAR *info = mem_printf("fdinfo/%s", fds.at[i]);
		char to[64];
		ssize_t len = readlink(link, to, sizeof(to) - 1);

		if (len < 0)
			continue;
		to[len] = 0;
		if (strncmp(to, "/dev/dri/", 9) && strncmp(to, "/dev/accel/", 11))
			continue;
		buf_clear(&s->text);
		if (text_read(dir, info, FDINFO_MOST, &s->text))
			continue;
		(void)buf_text(&s->text);
		add_client(s, s->text.at);
	}
	vec_release(&fds);
	arena_release(&arena);
}

int64_t drm_sum(const char *proc_root, const char *driver, const char *key, const int *pids,
		size_t n)
{
	struct sum s = {.proc_root = proc_root, .driver = driver, .key = key};
	struct arena arena = {0};
	struct names all = {0};
	char pid[16];

	for (size_t i = 0; pids && i < n; i++) {
		snprintf(pid, sizeof(pid), "%d", pids[i]);
		drm_add_process(&s, pid);
	}
	if (!pids)
		text_names(proc_root, NULL, false, true, &arena, &all);
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i][0] >= '1' && all.at[i][0] <= '9')
			drm_add_process(&s, all.at[i]);
	intern_release(&s.clients);
	buf_release(&s.text);
	vec_release(&all);
	arena_release(&arena);
	return s.value;
}
