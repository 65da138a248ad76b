// SPDX-License-Identifier: MIT
#include "cmd/options/output/export_live.h"

static const struct stacks_how live_how = {.no_cpus = true};

void export_live_ask(struct samples_options *wanted)
{
	stacks_ask(wanted, &live_how);
}

int export_live_page(const char *path, const char *title, const struct measurement *m,
		     const struct samples *samples, const struct filter *filter, struct out *out,
		     struct err *err)
{
	const struct export_fact facts[] = {{"measured by", title}};
	struct stacks stacks;
	AUTO_BUF losses = {0};
	struct export_input in = {.stacks = &stacks,
				  .events = &m->events,
				  .clock = &m->clock,
				  .title = title,
				  .sides = {title},
				  .facts = facts,
				  .n_facts = ARRAY_SIZE(facts)};
	int status;

	stacks_init(&stacks, &live_how);
	stacks_add(&stacks, samples, filter, in.events, 0);
	stacks_sort(&stacks);
	losses_show(&m->losses, &losses);
	in.losses = buf_text(&losses);
	status = export_write_file(&exporters[EXPORT_HTML], path, &in, out, err);
	stacks_release(&stacks);
	return status;
}
