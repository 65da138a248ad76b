// SPDX-License-Identifier: MIT
/* --iostat: the transfers of PCIe root ports, counted by Intel's uncore events
 * (arch/x86/events/intel/uncore_snbep.c has the terms; an event counts transfers of 4 bytes). */
#include "cmd/stat/stat_opts.h"

#include "os/machine/cpus.h"
#include "os/machine/pmu.h"

#include <stdio.h>
#include <string.h>

#define ALL_OF_PORT "ch_mask=0xF,fc_mask=0x07/"

int stat_ports_check(const struct stat_opts *o, struct err *err)
{
	const struct {
		bool on;
		const char *option;
	} others[] = {
		{o->target.pids, "-p"},
		{o->target.tids, "-t"},
		{o->nothing, "-n"},
		{o->detailed, "-d"},
		{o->transaction, "-T"},
		{o->topdown, "--topdown"},
		{o->smi_cost, "--smi-cost"},
		{o->bpf_programs, "-b"},
		{o->each_cgroup, "--for-each-cgroup"},
		{o->openmetrics, "--openmetrics"},
		{o->aggr != STAT_GLOBAL, o->aggr_option},
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].on)
			return err_set(
				err, ERR_USAGE,
				"'--iostat' counts what ports of the machine move: '%s%s' does "
				"not go with it",
				others[i].option[0] == '-' ? "" : "--", others[i].option);
	return 0;
}

/* Keeps the ports that the list names, in its order: "0000:3d,0:af". */
static int stat_ports_pick(struct io_ports *ports, const char *list, bool quiet, struct err *err)
{
	struct io_ports picked = {0};

	for (const char *p = list; *p;) {
		const size_t n = strcspn(p, ",");
		unsigned int domain, bus;
		int used = 0;

		if (n && (sscanf(p, "%8x:%2x%n", &domain, &bus, &used) != 2 || (size_t)used != n)) {
			vec_release(&picked);
			err_set(err, ERR_USAGE, "Unrecognized root port format: %.*s", (int)n, p);
			return err_hint(err, "Please use the following format:\n"
					     "  [domain]:[bus]\n  for example: 0000:3d");
		}
		if (n && io_ports_find(ports, domain, bus)) {
			if (!io_ports_find(&picked, domain, bus))
				vec_add(&picked, *io_ports_find(ports, domain, bus));
		} else if (n && !quiet) {
			fprintf(stderr, "Root port %04x:%02x were not found\n", domain, bus);
		}
		p += n + (p[n] == ',');
	}
	io_ports_release(ports);
	*ports = picked;
	return ports->n ? 0 : err_set(err, ERR_USAGE, "Requested root ports were not found");
}

/* Removes ports whose counters are not on the CPUs of -C. */
static int stat_ports_on(struct io_ports *ports, const char *cpus, struct err *err)
{
	struct cpu_list list = {0};
	size_t n = 0;

	if (!cpus || cpus_parse(cpus, &list))
		return 0; /* a wrong list is refused when CPUs are opened */
	for (size_t i = 0; i < ports->n; i++)
		if (cpus_has(&list, ports->at[i].cpu))
			ports->at[n++] = ports->at[i];
	ports->n = n;
	vec_release(&list);
	return n ? 0 : err_set(err, ERR_USAGE, "no port is counted on CPU(s) %s", cpus);
}

/* Adds the four events of a port, in the order of the columns. */
static int stat_ports_count(const struct io_port *port, const struct event_host *host,
			    struct event_set *events, struct err *err)
{
	static const char *const terms[STAT_PORT_EVENTS] = {
		"event=0x83,umask=0x04", "event=0x83,umask=0x01", "event=0xc0,umask=0x04",
		"event=0xc0,umask=0x01"};
	const size_t first = events->events.n;
	AUTO_BUF text = {0};

	for (size_t i = 0; i < STAT_PORT_EVENTS; i++)
		buf_printf(&text, "%cuncore_iio_%u/%s," ALL_OF_PORT, i ? ',' : '{', port->pmu,
			   terms[i]);
	buf_char(&text, '}');
	if (event_parse(events, buf_text(&text), host, err))
		return -1;
	for (size_t i = first; i < events->events.n; i++)
		events->events.at[i]->cpus = arena_printf(&events->arena, "%d", port->cpu);
	return 0;
}

int stat_ports(const struct stat_opts *o, struct stat_plan *plan, struct stat_wanted *w,
	       struct err *err)
{
	if (io_ports_read(&w->ports, PMU_ROOT, err))
		return -1;
	if (*o->iostat && strcmp(o->iostat, "list") &&
	    stat_ports_pick(&w->ports, o->iostat, o->quiet, err))
		return -1;
	if (stat_ports_on(&w->ports, plan->run.target.cpus, err))
		return -1;
	if ((o->selects.n || o->metrics.n) && !o->quiet)
		fputs("The -e and -M options are not supported."
		      "All chosen events/metrics will be dropped\n",
		      stderr);
	for (size_t i = 0; i < w->ports.n; i++)
		if (stat_ports_count(&w->ports.at[i], &w->source.host, &w->events, err))
			return -1;
	plan->view.ports = &w->ports;
	plan->rows.no_merge = true;
	return 0;
}
