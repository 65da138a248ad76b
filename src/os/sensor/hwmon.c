// SPDX-License-Identifier: MIT
#include "os/sensor/hwmon.h"

#include "base/options/options.h"
#include "os/files/text.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

/* Units and scales are those of the kernel's page on the interface; a temperature's unit is written
 * as perf writes it. item: the file that holds the value, NULL: the one without an item. */
static const struct sensor_kind {
	const char *type, *item, *unit, *what;
	double scale;
	bool grows;
} kinds[] = {
	{"temp", "input", "'C", "Temperature", 1e-3, false},
	{"in", "input", "V", "Voltage", 1e-3, false},
	{"cpu", "vid", "V", "Core voltage", 1e-3, false},
	{"curr", "input", "A", "Current", 1e-3, false},
	{"power", "input", "W", "Power", 1e-6, false},
	{"power", "average", "W", "Power", 1e-6, false},
	{"energy", "input", "J", "Energy", 1e-6, true},
	{"fan", "input", "rpm", "Fan speed", 1, false},
	{"humidity", "input", "%", "Relative humidity", 1e-3, false},
	{"freq", "input", "Hz", "Frequency", 1, false},
	{"intrusion", "alarm", "", "Intrusion alarm", 1, false},
	{"pwm", NULL, "%", "Fan drive", 100.0 / 255, false}, /* a byte: 255 is all */
};

static const struct sensor_kind *hwmon_kind_of(const char *type, size_t n, const char *item)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strlen(kinds[i].type) == n && !memcmp(kinds[i].type, type, n) &&
		    (item && kinds[i].item ? !strcmp(item, kinds[i].item) : item == kinds[i].item))
			return &kinds[i];
	return NULL;
}

/* Names are made of lower case letters, digits and '_'. */
static const char *plain(struct arena *a, const char *prefix, const char *text)
{
	char *name = arena_printf(a, "%s_%s", prefix, text);

	for (char *p = name; *p; p++)
		*p = (char)(isalnum((unsigned char)*p) ? tolower((unsigned char)*p) : '_');
	return name;
}

struct device {
	const char *root, *folder, *name;
	const struct names *files; /* sorted */
	struct arena *arena;
};

static const char *hwmon_line_of(const struct device *d, const char *file)
{
	return text_line(d->root, arena_printf(d->arena, "%s/%s", d->folder, file), d->arena);
}

/* " crit=100'C max=85'C": every other number of the sensor. */
static void add_items(const struct device *d, const struct hwmon_sensor *s, struct buf *out)
{
	size_t n = strlen(s->name);
	const char *own = strrchr(s->readout.path, '/') + 1;

	for (size_t i = 0; i < d->files->n; i++) {
		const char *file = d->files->at[i], *text;
		char *end;
		double v;

		if (strncmp(file, s->name, n) || file[n] != '_' || !strcmp(file, own) ||
		    !strcmp(file + n, "_label"))
			continue;
		text = hwmon_line_of(d, file);
		v = text ? strtod(text, &end) : 0;
		if (!text || end == text || *end)
			continue;
		/* alarms, switches and the like have no unit */
		if (strstr(file + n, "alarm") || strstr(file + n, "enable") ||
		    strstr(file + n, "fault") || strstr(file + n, "beep") ||
		    strstr(file + n, "type"))
			buf_printf(out, " %s=%g", file + n + 1, v);
		else
			buf_printf(out, " %s=%g%s", file + n + 1, v * s->scale, s->unit);
	}
}

static void add_sensor(struct hwmon *h, const struct device *d, const char *file, bool limits)
{
	size_t letters = strspn(file, "abcdefghijklmnopqrstuvwxyz");
	size_t digits = strspn(file + letters, "0123456789"), n = letters + digits;
	const char *item = file[n] == '_' ? file + n + 1 : NULL, *label;
	const struct sensor_kind *kind;
	struct hwmon_sensor s = {.pmu = d->name, .folder = d->folder};
	AUTO_BUF about = {0};

	if (!letters || !digits || (file[n] && !item))
		return;
	kind = hwmon_kind_of(file, letters, item);
	if (!kind)
		return;
	s.name = arena_strndup(&h->arena, file, n);
	/* a chip that has both shows the momentary power: "average" sorts first */
	if (h->sensors.n && vec_last(&h->sensors)->folder == s.folder &&
	    !strcmp(vec_last(&h->sensors)->name, s.name))
		h->sensors.n--;
	label = hwmon_line_of(d, arena_printf(&h->arena, "%s_label", s.name));
	if (label && *label)
		s.label_name = plain(&h->arena, kind->type, label);
	s.unit = kind->unit;
	s.scale = kind->scale;
	s.readout.kind = READOUT_FILE;
	s.readout.grows = kind->grows;
	s.readout.path = arena_printf(&h->arena, "%s/%s/%s", d->root, d->folder, file);
	buf_printf(&about, "%s of %s, %s.", kind->what, d->name + strlen("hwmon_"),
		   label && *label ? label : s.name);
	if (limits)
		add_items(d, &s, &about);
	s.about = arena_strdup(&h->arena, buf_text(&about));
	vec_add(&h->sensors, s);
}

/* hwmon2 before hwmon10, temp2_input before temp10_input */
static int hwmon_by_number(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

void hwmon_read(struct hwmon *h, const char *root, bool limits)
{
	struct names folders = {0}, files = {0};

	*h = (struct hwmon){0};
	if (text_names(root, NULL, false, true, &h->arena, &folders) || !folders.n)
		goto out;
	qsort(folders.at, folders.n, sizeof(*folders.at), hwmon_by_number);
	for (size_t i = 0; i < folders.n; i++) {
		struct device d = {
			.root = root, .folder = folders.at[i], .files = &files, .arena = &h->arena};
		const char *name = hwmon_line_of(&d, "name");

		if (!name || !*name)
			continue;
		d.name = plain(&h->arena, "hwmon", name);
		vec_clear(&files);
		text_names(root, d.folder, false, false, &h->arena, &files);
		if (files.n)
			qsort(files.at, files.n, sizeof(*files.at), hwmon_by_number);
		for (size_t j = 0; j < files.n; j++)
			add_sensor(h, &d, files.at[j], limits);
	}
out:
	vec_release(&folders);
	vec_release(&files);
}

void hwmon_release(struct hwmon *h)
{
	vec_release(&h->sensors);
	arena_release(&h->arena);
}

bool hwmon_is_of(const struct hwmon_sensor *s, const char *pmu)
{
	return !strcasecmp(s->pmu, pmu) || !strcmp(s->folder, pmu) || glob_match(pmu, s->pmu);
}

bool hwmon_is_called(const struct hwmon_sensor *s, const char *name)
{
	return !strcasecmp(s->name, name) || (s->label_name && !strcasecmp(s->label_name, name));
}
