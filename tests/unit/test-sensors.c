// SPDX-License-Identifier: MIT
/* Sensors and GPU clients, from folders that stand in for /sys/class/hwmon, /dev/dri and /proc. */
#include "answer.h"
#include "folder.h"

#include "base/buf.h"
#include "event/parse.h"
#include "os/sensor/drm.h"
#include "os/sensor/hwmon.h"

#include <unistd.h>

static char root[] = "/tmp/test-sensors-XXXXXX";
static char hwmon_root[64], dev_root[64], proc_root[64];

static const char fdinfo[] = "pos:\t0\ndrm-driver:\ti915\ndrm-client-id:\t7\n"
			     "drm-pdev:\t0000:00:02.0\ndrm-engine-render:\t1000 ns\n"
			     "drm-engine-capacity-video:\t2\ndrm-total-system0:\t12 KiB\n"
			     "drm-maxfreq-render:\t1200 MHz\ni915-own:\t1\n";

static int set_up(void **state)
{
	char name[64];

	(void)state;
	if (!mkdtemp(root))
		return -1;
	folder_put(root, "hwmon/hwmon0/name", "acpitz\n");
	folder_put(root, "hwmon/hwmon0/temp1_input", "-4500\n");
	folder_put(root, "hwmon/hwmon2/name", "coretemp\n");
	folder_put(root, "hwmon/hwmon2/temp1_input", "61000\n");
	folder_put(root, "hwmon/hwmon2/temp1_label", "Package id 0\n");
	folder_put(root, "hwmon/hwmon2/temp1_crit", "100000\n");
	folder_put(root, "hwmon/hwmon2/temp1_crit_alarm", "0\n");
	folder_put(root, "hwmon/hwmon2/temp10_input", "50000\n");
	folder_put(root, "hwmon/hwmon2/temp2_input", "none\n");
	folder_put(root, "hwmon/hwmon10/name", "Some Chip\n");
	folder_put(root, "hwmon/hwmon10/fan1_input", "2588\n");
	folder_put(root, "hwmon/hwmon10/pwm1", "255\n");
	folder_put(root, "hwmon/hwmon10/pwm1_enable", "2\n");
	folder_put(root, "hwmon/hwmon10/power1_average", "1000000\n");
	folder_put(root, "hwmon/hwmon10/power1_input", "2000000\n");
	folder_put(root, "hwmon/hwmon10/energy1_input", "5000000\n");
	folder_put(root, "hwmon/hwmon10/uevent", "\n");
	folder_put(root, "hwmon/hwmon11/temp1_input", "1\n"); /* has no name: is no device */
	/* the number that the device will be opened as is not known: all say the same */
	folder_put(root, "dri/renderD128", "");
	folder_put(root, "dri/card0", "");
	for (int fd = 3; fd < 40; fd++) {
		snprintf(name, sizeof(name), "proc/self/fdinfo/%d", fd);
		folder_put(root, name, fdinfo);
	}
	/* two processes share client 7; 200 has another one; 300's file is no device */
	folder_put(root, "proc/100/fdinfo/4", fdinfo);
	folder_put(root, "proc/200/fdinfo/5", fdinfo);
	folder_put(root, "proc/200/fdinfo/6",
		   "drm-driver: i915\ndrm-client-id: 8\ndrm-pdev: 0000:00:02.0\n"
		   "drm-engine-render: 234 ns\ndrm-total-system0: 1 MiB\n");
	folder_put(root, "proc/200/fdinfo/7",
		   "drm-driver: xe\ndrm-client-id: 8\ndrm-engine-render: 1 ns\n");
	folder_put(root, "proc/300/fdinfo/4", fdinfo);
	folder_put(root, "proc/100/fd/dir", "");
	folder_put(root, "proc/200/fd/dir", "");
	folder_put(root, "proc/300/fd/dir", "");
	assert_return_code(chdir(root), 0);
	assert_return_code(symlink("/dev/dri/renderD128", "proc/100/fd/4"), 0);
	for (char fd = '5'; fd < '8'; fd++) {
		snprintf(name, sizeof(name), "proc/200/fd/%c", fd);
		assert_return_code(symlink("/dev/dri/renderD128", name), 0);
	}
	assert_return_code(symlink("/dev/null", "proc/300/fd/4"), 0);
	snprintf(hwmon_root, sizeof(hwmon_root), "%s/hwmon", root);
	snprintf(dev_root, sizeof(dev_root), "%s/dri", root);
	snprintf(proc_root, sizeof(proc_root), "%s/proc", root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return chdir("/") || folder_remove(root);
}

static void sensors_have_names_units_and_values(void **state)
{
	struct buf b = {0};
	struct hwmon h;

	(void)state;
	hwmon_read(&h, hwmon_root, true);
	for (size_t i = 0; i < h.sensors.n; i++) {
		const struct hwmon_sensor *s = &h.sensors.at[i];
		struct err err = {0};
		int64_t v = 0;
		int got = readout_get(&s->readout, NULL, 0, &v, &err);

		buf_printf(&b, "%s/%s/ %s ", s->pmu, s->name, s->label_name ? s->label_name : "-");
		if (got)
			buf_str(&b, strrchr(err.text, '\''));
		else
			buf_printf(&b, "%g%s%s", (double)v * s->scale, s->unit,
				   s->readout.grows ? " grows" : "");
		buf_printf(&b, ": %s\n", s->about);
	}
	assert_string_equal(
		buf_text(&b),
		"hwmon_acpitz/temp1/ - -4.5'C: Temperature of acpitz, temp1.\n"
		"hwmon_coretemp/temp1/ temp_package_id_0 61'C: Temperature of coretemp, Package id "
		"0. "
		"crit=100'C crit_alarm=0\n"
		"hwmon_coretemp/temp2/ - ' shows no number: Temperature of coretemp, temp2.\n"
		"hwmon_coretemp/temp10/ - 50'C: Temperature of coretemp, temp10.\n"
		"hwmon_some_chip/energy1/ - 5J grows: Energy of some_chip, energy1.\n"
		"hwmon_some_chip/fan1/ - 2588rpm: Fan speed of some_chip, fan1.\n"
		"hwmon_some_chip/power1/ - 2W: Power of some_chip, power1. average=1W\n"
		"hwmon_some_chip/pwm1/ - 100%: Fan drive of some_chip, pwm1. enable=2\n");
	buf_release(&b);
	hwmon_release(&h);
	hwmon_read(&h, "/nowhere", false);
	assert_int_equal(h.sensors.n, 0);
	hwmon_release(&h);
}

static void gpu_clients_are_counted_once(void **state)
{
	static const int both[] = {100, 200, 99999}, first[] = {100};
	struct buf b = {0};
	struct drm d;

	(void)state;
	drm_read(&d, dev_root, proc_root);
	for (size_t i = 0; i < d.keys.n; i++)
		buf_printf(&b, "%s/%s/ %s%s\n", d.keys.at[i].pmu, d.keys.at[i].name,
			   d.keys.at[i].unit, d.keys.at[i].readout.grows ? " grows" : "");
	assert_string_equal(buf_text(&b), "drm_i915/drm-engine-capacity-video/ capacity\n"
					  "drm_i915/drm-engine-render/ ns grows\n"
					  "drm_i915/drm-maxfreq-render/ hz\n"
					  "drm_i915/drm-total-system0/ bytes\n");
	assert_int_equal(drm_sum(proc_root, "i915", "drm-engine-render", NULL, 0), 1234);
	assert_int_equal(drm_sum(proc_root, "i915", "drm-engine-render", both, 3), 1234);
	assert_int_equal(drm_sum(proc_root, "i915", "drm-engine-render", first, 1), 1000);
	assert_int_equal(drm_sum(proc_root, "i915", "drm-maxfreq-render", first, 1), 1200000000);
	assert_int_equal(drm_sum(proc_root, "i915", "drm-total-system0", NULL, 0),
			 (12 << 10) + (1 << 20));
	assert_int_equal(drm_sum(proc_root, "xe", "drm-engine-render", NULL, 0), 1);
	assert_int_equal(drm_sum(proc_root, "none", "drm-engine-render", NULL, 0), 0);
	buf_release(&b);
	drm_release(&d);
}

static const struct {
	const char *text, *becomes; /* "!part of the message" when it can't be */
} rows[] = {
	{"hwmon_coretemp/temp1/", "hwmon_coretemp/temp1/ hwmon_coretemp 'C 0.001\n"},
	{"hwmon_CoreTemp/TEMP_package_id_0,name=pkg/", "pkg hwmon_coretemp 'C 0.001\n"},
	{"hwmon2/temp10/", "hwmon2/temp10/ hwmon_coretemp 'C 0.001\n"},
	{"temp_package_id_0", "temp_package_id_0 hwmon_coretemp 'C 0.001\n"},
	{"temp1", "hwmon_acpitz/temp1/ hwmon_acpitz 'C 0.001\n"
		  "hwmon_coretemp/temp1/ hwmon_coretemp 'C 0.001\n"},
	{"hwmon_*/temp1/u,fan1", "hwmon_acpitz/temp1/ hwmon_acpitz 'C 0.001\n"
				 "hwmon_coretemp/temp1/ hwmon_coretemp 'C 0.001\n"
				 "fan1 hwmon_some_chip rpm 1\n"},
	{"fan1/name=air/", "air hwmon_some_chip rpm 1\n"},
	{"{energy1,power1}", "energy1 hwmon_some_chip J 1e-06\npower1 hwmon_some_chip W 1e-06\n"},
	{"drm_i915/drm-engine-render/", "drm_i915/drm-engine-render/ drm_i915 ns 1\n"},
	{"drm-total-system0", "drm-total-system0 drm_i915 bytes 1\n"},
	{"hwmon_coretemp/temp_package_id/", "!device 'hwmon_coretemp' has no event "
					    "'temp_package_id'; did you mean 'temp_package_id_0'?"},
	{"hwmon_coretemp/temp1,foo/", "!no term is called 'foo'"},
	{"drm_i915/drm-engine-rendr/", "!did you mean 'drm-engine-render'?"},
	{"drm_xe/drm-engine-render/", "!no event or PMU is called 'drm_xe'"},
	{"temp_package_0",
	 "!no event is called 'temp_package_0'; did you mean 'temp_package_id_0'?"},
	{"hwmon_coretemp/temp1=1/", "!no event or PMU is called 'hwmon_coretemp'"},
};

static void sensors_are_events(void **state)
{
	struct event_host host = {
		.hwmon_root = hwmon_root, .drm_root = dev_root, .proc_root = proc_root};
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *want = rows[i].becomes;
		struct event_set set = {0};
		struct err err = {0};
		struct buf b = {0};
		int got = event_parse(&set, rows[i].text, &host, &err);

		for (size_t j = 0; j < set.events.n; j++) {
			const struct event *ev = set.events.at[j];

			assert_int_not_equal(ev->readout.kind, READOUT_NONE);
			assert_int_equal(ev->attr.type, TYPE_SOFTWARE);
			assert_int_equal(ev->attr.config, 9);
			buf_printf(&b, "%s %s %s %g\n", ev->name, ev->pmu, ev->unit, ev->scale);
		}
		bad += answer_differs(rows[i].text, got, &b, &err, want);
		buf_release(&b);
		event_set_release(&set);
	}
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sensors_have_names_units_and_values),
		cmocka_unit_test(gpu_clients_are_counted_once),
		cmocka_unit_test(sensors_are_events),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
