/* SPDX-License-Identifier: MIT */
/*
 * PCIe root ports whose traffic the uncore of Intel's servers counts. The kernel says in sysfs
 * which port each uncore_iio PMU has on each die: uncore_iio_N/dieM holds "0000:3d"
 * (Documentation/ABI/testing/sysfs-devices-mapping).
 */
#ifndef OS_IO_PORTS_H
#define OS_IO_PORTS_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

struct io_port {
	uint32_t domain;	    /* of PCI */
	unsigned int bus, die, pmu; /* pmu: the number in the PMU's name */
	int cpu;		    /* where the PMU counts for this die */
};

/* By PMU, then by die. Zeroed, it is empty. */
struct io_ports {
	VEC(struct io_port);
};

/* Reads all of them; pmu_root as in os/pmu.h. 0, or -1 with *err: there are none, or sysfs does not
 * say which they are. */
int io_ports_read(struct io_ports *ports, const char *pmu_root, struct err *err);
/* The port, or NULL. */
const struct io_port *io_ports_find(const struct io_ports *ports, uint32_t domain,
				    unsigned int bus);
void io_ports_release(struct io_ports *ports);

#endif
