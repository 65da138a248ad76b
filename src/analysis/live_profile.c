// SPDX-License-Identifier: MIT
#include "analysis/live_profile.h"

#include "analysis/annotate/annotate.h"

#define KERNEL_NAME "[kernel]" /* as perf top calls it */

static void begin_world(struct live_profile *p)
{
	p->world = world_new(&p->source->m, &p->opts.symbols);
	world_name_kernel(p->world, KERNEL_NAME);
	p->samples = samples_new(&p->source->m, p->world, &p->opts.samples);
	if (p->opts.keeps_table)
		p->fresh = samples_new(&p->source->m, p->world, &p->opts.samples);
}

struct live_profile *live_profile_new(struct live_source *source,
				      const struct live_profile_options *opts, struct err *err)
{
	struct live_profile *p = NEW(struct live_profile);

	p->opts = *opts;
	p->source = source;
	if (!p->opts.most)
		p->opts.most = LIVE_PROFILE_MOST;
	p->table = table_new(&opts->table, err);
	p->switches.show = opts->show_switches;
	if (opts->code && p->table)
		p->code = annotate_table_new(opts->table.layout.events, NULL, NULL, MODE_NORMAL,
					     err);
	if (!p->table || (opts->code && !p->code) ||
	    replay_switches_find(&p->switches, &source->m.events, opts->switch_on, opts->switch_off,
				 err)) {
		live_profile_free(p);
		return NULL;
	}
	p->switches.discarding = p->switches.on != NULL;
	table_ask(p->table, &p->opts.samples);
	if (p->code)
		table_ask(p->code, &p->opts.samples);
	/* which modes are hidden may change at any time, and what is idle goes by its address */
	p->opts.samples.columns |= COL_BIT(COL_IP) | COL_BIT(COL_SPACE);
	begin_world(p);
	return p;
}

static void end_world(struct live_profile *p)
{
	samples_free(p->fresh);
	samples_free(p->samples);
	world_free(p->world);
	p->fresh = p->samples = NULL;
	p->world = NULL;
}

void live_profile_free(struct live_profile *p)
{
	if (!p)
		return;
	table_free(p->table);
	if (p->code)
		filter_release(&p->code->opts.filter);
	table_free(p->code);
	end_world(p);
	read_split_release(&p->split);
	free(p);
}

static void live_profile_add_sample(struct live_profile *p, const struct record *r)
{
	const uint16_t mode = r->header.misc & MISC_CPUMODE_MASK;

	if (replay_switched_off(&p->switches, r->event))
		return;
	p->all.samples++;
	p->all.exact += (r->header.misc & MISC_EXACT_IP) != 0;
	p->all.kernel += mode == MISC_KERNEL;
	if (!(p->hidden_modes & 1u << mode))
		samples_add(p->fresh ? p->fresh : p->samples, r);
}

/* Counter values in a sample make it one sample of each counter's event. */
static void live_profile_take_sample(struct live_profile *p, struct record *r)
{
	uint64_t period;

	if (!read_split_needed(r->event)) {
		live_profile_add_sample(p, r);
		return;
	}
	for (uint64_t i = 0;
	     read_split_next(&p->split, &p->source->m.events, r, &i, &r->event, &period);) {
		r->sample.period = period;
		live_profile_add_sample(p, r);
	}
}

static void take_record(struct live_profile *p, struct record *r)
{
	switch (r->header.type) {
	case RECORD_SAMPLE:
		if (r->event && !r->event->side_band)
			live_profile_take_sample(p, r);
		return;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		p->all.chunks++;
		return;
	default:
		world_add(p->world, r, record_time(&p->source->m, r));
	}
}

int live_profile_pull(struct live_profile *p, uint64_t until_ms, struct err *err)
{
	struct record r;
	int got = 0;

	while (!p->source->session.stop &&
	       (got = live_source_next(p->source, until_ms, &r, err)) > 0)
		take_record(p, &r);
	return MIN(got, 0);
}

/* Begins anew with the processes that run now. */
static int renew_world(struct live_profile *p, struct err *err)
{
	end_world(p);
	begin_world(p);
	p->renewals++;
	return live_source_tell_again(p->source, err);
}

int live_profile_fade(struct live_profile *p, struct err *err)
{
	if (p->zero)
		samples_zero(p->samples);
	else
		samples_decay(p->samples);
	return world_bytes(p->world) > p->opts.most ? renew_world(p, err) : 0;
}

/* Fades the samples that were shown, and adds the fresh ones. */
static int take_fresh(struct live_profile *p, struct err *err)
{
	const unsigned int renewals = p->renewals;

	if (live_profile_fade(p, err))
		return -1;
	if (p->renewals != renewals)
		p->table->opts.zoom = (struct zoom){.counted = p->table->opts.zoom.counted};
	samples_merge(p->samples, p->fresh);
	samples_free(p->fresh);
	p->fresh = samples_new(&p->source->m, p->world, &p->opts.samples);
	return 0;
}

int live_profile_refresh(struct live_profile *p, struct err *err)
{
	const struct live_counts *all = &p->all, *before = &p->before;

	if (p->fresh && take_fresh(p, err))
		return -1;
	p->all.lost = p->source->lost_samples;
	p->counts = (struct live_counts){
		.samples = all->samples - before->samples,
		.kernel = all->kernel - before->kernel,
		.exact = all->exact - before->exact,
		.lost = all->lost - before->lost,
		.chunks = all->chunks - before->chunks,
	};
	p->before = p->all;
	p->table->opts.hidden_modes = p->hidden_modes;
	samples_resolve(p->samples);
	return table_make(p->table, p->samples, err);
}

int live_profile_find_code(struct live_profile *p, const char *symbol, struct err *err)
{
	struct filter *filter = &p->code->opts.filter;

	filter_release(filter);
	*filter = (struct filter){.socket = -1};
	name_list_add(&filter->symbols, symbol, "");
	p->code->opts.hidden_modes = p->hidden_modes;
	return table_make(p->code, p->samples, err);
}
