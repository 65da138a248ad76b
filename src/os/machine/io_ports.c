// SPDX-License-Identifier: MIT
#include "os/machine/io_ports.h"

#include "os/machine/cpus.h"
#include "os/machine/pmu.h"

#include <stdio.h>

static int io_ports_read_pmu(struct io_ports *ports, const char *root, unsigned int pmu,
			     const struct cpu_list *cpus, struct arena *arena, struct err *err)
{
	AUTO_CHAR *name = mem_printf("uncore_iio_%u", pmu);

	for (unsigned int die = 0;; die++) {
		AUTO_CHAR *file = mem_printf("die%u", die);
		const char *text = pmu_text(root, name, file, arena);
		struct io_port port = {.die = die, .pmu = pmu};

		if (!text)
			return 0;
		if (sscanf(text, "%8x:%2x", &port.domain, &port.bus) != 2)
			return err_set(err, ERR_UNSUPPORTED, "Invalid mapping data: iio_%u; die%u",
				       pmu, die);
		if (die >= cpus->n)
			return err_set(err, ERR_UNSUPPORTED, "no CPU counts for die %u of '%s'",
				       die, name);
		port.cpu = cpus->at[die];
		vec_add(ports, port);
	}
}

int io_ports_read(struct io_ports *ports, const char *root, struct err *err)
{
	struct arena arena = {0};
	unsigned int n = 0;
	int failed = 0;

	for (; !failed; n++) {
		AUTO_CHAR *name = mem_printf("uncore_iio_%u", n);
		struct cpu_list cpus = {0};
		struct pmu pmu;

		if (!pmu_read(root, name, &arena, &pmu))
			break;
		if (pmu.cpus && !cpus_parse(pmu.cpus, &cpus))
			failed = io_ports_read_pmu(ports, root, n, &cpus, &arena, err);
		vec_release(&cpus);
		pmu_release(&pmu);
	}
	arena_release(&arena);
	if (!failed && !n) {
		err_set(err, ERR_USAGE, "Unsupported uncore pmu configuration");
		failed = err_hint(err,
				  "ports are counted by the uncore of Intel's servers; requests "
				  "to disks by 'perf stat -a -e \"block:*\" -I 1000'");
	}
	if (!failed && !ports->n)
		failed = err_set(err, ERR_USAGE, "Mode iostat is not supported");
	return failed;
}

const struct io_port *io_ports_find(const struct io_ports *ports, uint32_t domain, unsigned int bus)
{
	for (size_t i = 0; i < ports->n; i++)
		if (ports->at[i].domain == domain && ports->at[i].bus == bus)
			return &ports->at[i];
	return NULL;
}

void io_ports_release(struct io_ports *ports)
{
	vec_release(ports);
}
