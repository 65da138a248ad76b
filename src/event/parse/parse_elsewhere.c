// SPDX-License-Identifier: MIT
/* Parses events that the kernel has no list of: vendor events, sensors, and the use of GPUs by
 * clients. */
#include "event/names.h"
#include "event/parse/parse_state.h"
#include "event/pfm.h"
#include "event/vendor/vendor.h"

#include "os/sensor/drm.h"
#include "os/sensor/hwmon.h"
#include "os/tracing/tracefs.h"

#include <strings.h>

#define SOFTWARE_DUMMY 9

struct event_host event_host_here(struct arena *arena)
{
	return (struct event_host){
		.pmu_root = PMU_ROOT,
		.tracefs_root = tracefs_find(NULL, arena),
		.hwmon_root = HWMON_ROOT,
		.drm_root = DRM_DEV_ROOT,
		.proc_root = "/proc",
		.pfm = true,
	};
}

bool parse_find_alias(struct parser *ps, const char *pmu, const char *name, struct pmu_alias *out)
{
	const char *root = ps->host->pmu_root;
	const struct vendor_event *e = NULL;
	size_t n;

	if (pmu_alias_read(root, pmu, name, &ps->arena, out))
		return true;
	n = ps->host->vendor ? vendor_find(ps->host->vendor, name, &e) : 0;
	for (; n; n--, e++) {
		if (e->pmu ? !parse_pmu_is(pmu, e->pmu) : !pmu_is_core(root, pmu))
			continue;
		*out = (struct pmu_alias){.name = e->name,
					  .terms = e->terms,
					  .unit = e->unit,
					  .scale = e->scale,
					  .per_package = e->per_package};
		return true;
	}
	return false;
}

/* Fails for a vendor's event whose PMU this machine lacks. */
static int no_pmu_for(struct parser *ps, struct span_of base)
{
	const struct vendor_event *e = NULL;
	const char *name = span_text(ps, base);

	if (!ps->host->vendor || !vendor_find(ps->host->vendor, name, &e))
		return 0;
	return parse_fail(ps, base.p,
			  "'%s' is an event of PMU '%s', which this machine doesn't show", name,
			  e->pmu ? e->pmu : "cpu");
}

static void add_readout(struct parser *ps, const char *pmu, const char *name, const char *unit,
			double scale, const struct readout *r)
{
	struct arena *a = &ps->set->arena;
	struct event *ev = event_set_add(ps->set, name);

	ev->attr.type = TYPE_SOFTWARE;
	ev->attr.config = SOFTWARE_DUMMY;
	ev->attr.size = ATTR_SIZE_6_1;
	ev->pmu = arena_strdup(a, pmu);
	ev->unit = arena_strdup(a, unit);
	ev->scale = scale;
	ev->readout = *r;
	ev->readout.path = r->path ? arena_strdup(a, r->path) : NULL;
	ev->readout.driver = r->driver ? arena_strdup(a, r->driver) : NULL;
	ev->readout.key = r->key ? arena_strdup(a, r->key) : NULL;
}

/* The name of an event. When a plain name means several devices, the device is added. */
static const char *parse_elsewhere_name_of(struct parser *ps, const char *pmu, const char *event,
					   const char *name, unsigned int found)
{
	return found > 1 ? arena_printf(&ps->arena, "%s/%s/", pmu, event) : name;
}

/* The device and event that are asked for. pmu NULL: any device that has the event. */
struct wanted {
	const char *pmu, *event, *name;
	struct span_of place; /* of the event's name, for messages */
	bool known;	      /* there is such a device */
	unsigned int found;
};

/* Fails for a device that is there but has no such event. */
static int no_such(struct parser *ps, const struct wanted *w, const struct names *has)
{
	parse_fail(ps, w->place.p, "device '%s' has no event '%s'", w->pmu, w->event);
	return parse_suggest(ps, w->event, has->at, has->n);
}

static int sensors(struct parser *ps, struct wanted *w)
{
	struct names names = {0};
	struct hwmon h;
	int ret = 0;

	hwmon_read(&h, ps->host->hwmon_root, false);
	for (int add = 0; add < 2; add++)
		for (size_t i = 0; i < h.sensors.n; i++) {
			const struct hwmon_sensor *s = &h.sensors.at[i];

			if (w->pmu && !hwmon_is_of(s, w->pmu))
				continue;
			w->known = w->pmu;
			if (!add)
				vec_add(&names, s->label_name ? s->label_name : s->name);
			if (!hwmon_is_called(s, w->event))
				continue;
			if (add)
				add_readout(ps, s->pmu,
					    parse_elsewhere_name_of(ps, s->pmu, s->name, w->name,
								    w->found),
					    s->unit, s->scale, &s->readout);
			else
				w->found++;
		}
	if (w->known && !w->found)
		ret = no_such(ps, w, &names);
	vec_release(&names);
	hwmon_release(&h);
	return ret;
}

static int gpu_clients(struct parser *ps, struct wanted *w)
{
	struct names names = {0};
	struct drm d;
	int ret = 0;

	drm_read(&d, ps->host->drm_root, ps->host->proc_root);
	for (int add = 0; add < 2; add++)
		for (size_t i = 0; i < d.keys.n; i++) {
			const struct drm_key *k = &d.keys.at[i];

			if (w->pmu && !drm_is_of(k, w->pmu))
				continue;
			w->known = w->pmu;
			if (!add)
				vec_add(&names, k->name);
			if (strcasecmp(k->name, w->event))
				continue;
			if (add)
				add_readout(ps, k->pmu,
					    parse_elsewhere_name_of(ps, k->pmu, k->name, w->name,
								    w->found),
					    k->unit, 1, &k->readout);
			else
				w->found++;
		}
	if (w->known && !w->found)
		ret = no_such(ps, w, &names);
	vec_release(&names);
	drm_release(&d);
	return ret;
}

static int parse_elsewhere_find(struct parser *ps, struct wanted *w)
{
	int ret = 0;

	if (ps->host->hwmon_root)
		ret = sensors(ps, w);
	/* opening GPUs may wake them: only for names that are clearly of a GPU */
	if (!ret && !w->found && ps->host->drm_root && ps->host->proc_root &&
	    !strncasecmp(w->pmu ? w->pmu : w->event, w->pmu ? "drm_" : "drm-", 4))
		ret = gpu_clients(ps, w);
	return ret ? -1 : w->found != 0;
}

int parse_elsewhere(struct parser *ps, struct span_of base, struct terms *terms, const char *name)
{
	struct wanted w = {.name = name};
	int got = 0;

	if (terms && terms->n && !terms->at[0].has_value) {
		w.pmu = span_text(ps, base);
		w.place = terms->at[0].name;
		w.event = span_text(ps, w.place);
		got = parse_elsewhere_find(ps, &w);
		if (got > 0) {
			memmove(terms->at, terms->at + 1, (terms->n - 1) * sizeof(*terms->at));
			terms->n--;
		}
	}
	if (got || !base.n)
		return got;
	w = (struct wanted){.name = name, .event = span_text(ps, base), .place = base};
	got = parse_elsewhere_find(ps, &w);
	return got ? got : no_pmu_for(ps, base);
}

int parse_pfm(struct parser *ps, struct span_of whole)
{
	struct pfm *pfm = ps->host->pfm ? pfm_open(NULL) : NULL;
	bool found = pfm && event_add_pfm(ps->set, pfm, span_text(ps, whole), NULL);

	pfm_close(pfm);
	if (found && ps->err)
		*ps->err = (struct err){0}; /* drop the errors of sources that did not know the
					     * name */
	return found;
}

void parse_elsewhere_names(struct parser *ps, struct names *out)
{
	const struct vendor *v = ps->host->vendor;
	struct hwmon h;

	for (size_t i = 0; v && i < v->events.n; i++)
		vec_add(out, v->events.at[i].name);
	if (!ps->host->hwmon_root)
		return;
	hwmon_read(&h, ps->host->hwmon_root, false);
	for (size_t i = 0; i < h.sensors.n; i++) {
		const struct hwmon_sensor *s = &h.sensors.at[i];

		vec_add(out, arena_strdup(&ps->arena, s->name));
		if (s->label_name)
			vec_add(out, arena_strdup(&ps->arena, s->label_name));
	}
	hwmon_release(&h);
}
