// SPDX-License-Identifier: MIT
/* PCIe root ports, read from folders that stand in for sysfs. */
#include "folder.h"

#include "os/machine/io_ports.h"

#include <unistd.h>

static char root[] = "/tmp/test-io-ports-XXXXXX";

static int start(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return folder_remove(root);
}

static void put_pmu(int n, const char *cpus)
{
	char path[64];

	snprintf(path, sizeof(path), "uncore_iio_%d/type", n);
	folder_put(root, path, "50\n");
	snprintf(path, sizeof(path), "uncore_iio_%d/cpumask", n);
	folder_put(root, path, cpus);
}

static void put_port(int pmu, int die, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "uncore_iio_%d/die%d", pmu, die);
	folder_put(root, path, text);
}

static void a_port_is_counted_on_the_cpu_of_its_die(void **state)
{
	struct io_ports ports = {0};
	const struct io_port *port;

	(void)state;
	for (int i = 0; i < 11; i++)
		put_pmu(i, "3,28\n");
	put_port(0, 0, "0000:00\n");
	put_port(0, 1, "0000:80\n");
	put_port(10, 0, "1f2e:3d\n");
	assert_int_equal(io_ports_read(&ports, root, NULL), 0);
	assert_int_equal(ports.n, 3);
	port = io_ports_find(&ports, 0, 0x80);
	assert_non_null(port);
	assert_int_equal(port->pmu, 0);
	assert_int_equal(port->die, 1);
	assert_int_equal(port->cpu, 28);
	port = io_ports_find(&ports, 0x1f2e, 0x3d);
	assert_non_null(port);
	assert_int_equal(port->pmu, 10);
	assert_int_equal(port->cpu, 3);
	assert_null(io_ports_find(&ports, 0, 0x3d));
	io_ports_release(&ports);
}

static void expect(const char *text)
{
	struct io_ports ports = {0};
	struct err err = {0};

	assert_int_equal(io_ports_read(&ports, root, &err), -1);
	assert_string_equal(err.text, text);
	io_ports_release(&ports);
}

static void what_is_lacking_is_said(void **state)
{
	(void)state;
	expect("Unsupported uncore pmu configuration");
	put_pmu(0, "0\n");
	expect("Mode iostat is not supported");
	put_port(0, 0, "whatever\n");
	expect("Invalid mapping data: iio_0; die0");
	put_port(0, 0, "0000:3d\n");
	put_port(0, 1, "0000:3e\n");
	expect("no CPU counts for die 1 of 'uncore_iio_0'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_port_is_counted_on_the_cpu_of_its_die, start,
						end),
		cmocka_unit_test_setup_teardown(what_is_lacking_is_said, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
