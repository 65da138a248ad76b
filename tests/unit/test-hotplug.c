// SPDX-License-Identifier: MIT
/* What is told of CPUs that go offline and come back, from what the kernel says of them. */
#include "unit.h"

#include "os/machine/hotplug.h"

#define S 1000000000ull

static void expect(const struct hotplug *h, const int *cpus, size_t n, uint64_t now,
		   const char *text)
{
	struct buf b = {0};

	hotplug_tell(h, cpus, n, now, &b);
	assert_string_equal(buf_text(&b), text);
	buf_release(&b);
}

static void goes_and_comes(void **state)
{
	struct hotplug h = {0};
	struct hotplug_cpu *c;

	(void)state;
	c = hotplug_note(&h, "offline@/devices/system/cpu/cpu1", 10 * S);
	assert_int_equal(c->cpu, 1);
	assert_int_equal(c->state, HOTPLUG_AWAY);
	expect(&h, NULL, 0, 12 * S, "CPU 1 was offline for 2.00 s.\n");
	c = hotplug_note(&h, "online@/devices/system/cpu/cpu1", 13 * S);
	assert_int_equal(c->state, HOTPLUG_MISSED);
	expect(&h, NULL, 0, 14 * S,
	       "CPU 1 was offline for 3.00 s; what it did after that, for 1.00 s, is missing.\n");
	c->state = HOTPLUG_MEASURED;
	expect(&h, NULL, 0, 14 * S, "CPU 1 was offline for 3.00 s.\n");
	/* again, and not opened the second time */
	hotplug_note(&h, "offline@/devices/system/cpu/cpu1", 20 * S);
	hotplug_note(&h, "online@/devices/system/cpu/cpu1", 20 * S + S / 2);
	expect(&h, NULL, 0, 21 * S,
	       "CPU 1 was offline for 3.50 s; what it did after that, for 0.50 s, is missing.\n");
	hotplug_close(&h);
}

static void only_those_measured(void **state)
{
	static const int cpus[] = {0, 12};
	struct hotplug h = {0};

	(void)state;
	hotplug_note(&h, "online@/devices/system/cpu/cpu3", 1 * S);
	hotplug_note(&h, "offline@/devices/system/cpu/cpu12", 2 * S);
	expect(&h, cpus, 2, 4 * S, "CPU 12 was offline for 2.00 s.\n");
	expect(&h, NULL, 0, 4 * S,
	       "CPU 3 came online; what it did after that, for 3.00 s, is missing.\nCPU 12 was "
	       "offline for 2.00 s.\n");
	hotplug_close(&h);
}

static void other_words(void **state)
{
	static const char *const said[] = {
		"",
		"offline",
		"offline@",
		"offline@/devices/system/cpu/cpu",
		"offline@/devices/system/cpu/cpux",
		"offline@/devices/system/cpu/cpu1/cache",
		"offline@/devices/system/cpu/cpu-1",
		"offline@/devices/system/cpu/cpu99999",
		"offline@/devices/system/memory/memory1",
		"change@/devices/system/cpu/cpu1",
		"add@/devices/system/cpu/cpu1",
		"OFFLINE@/devices/system/cpu/cpu1",
		"offlineonline@/devices/system/cpu/cpu1",
	};
	struct hotplug h = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(said); i++)
		assert_null(hotplug_note(&h, said[i], S));
	assert_int_equal(h.cpus.n, 0);
	expect(&h, NULL, 0, S, "");
	hotplug_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_and_comes),
		cmocka_unit_test(only_those_measured),
		cmocka_unit_test(other_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
