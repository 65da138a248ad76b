// SPDX-License-Identifier: MIT
#include "folder.h"

#include "capture/open/sampling.h"

static const struct sampling command = {.frequency = 4000, .inherit = true, .starts_command = true,
					.max_frequency = 100000};

static struct event *tracer(struct event_set *set, const char *name, const char *pmu,
			    uint64_t config)
{
	struct event *ev = event_set_add(set, name);

	ev->attr.type = 8;
	ev->attr.config = config;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->pmu = pmu;
	return ev;
}

static void the_pmu_decides_about_processor_traces(void **state)
{
	char root[] = "/tmp/test-record-XXXXXX";
	struct sampling s = command;
	struct event_set set = {0};
	struct buf notices = {0};
	struct err e = {0};
	const struct attr *a;

	(void)state;
	assert_non_null(mkdtemp(root));
	folder_put(root, "intel_pt/type", "8\n");
	folder_put(root, "intel_pt/format/pt", "config:0\n");
	folder_put(root, "intel_pt/format/mtc_period", "config:14-17\n");
	folder_put(root, "intel_pt/caps/mtc_periods", "249\n");
	s.pmu_root = root;
	s.aux_size = 1 << 20;
	s.callgraph = CALLGRAPH_FP;
	event_set_add(&set, "cpu-clock")->attr.type = TYPE_SOFTWARE;
	tracer(&set, "intel_pt/pt=0/", "intel_pt", 3 << 14);
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), 0);
	assert_string_equal(set.events.at[0]->name, "intel_pt/pt=0/");
	assert_int_equal(set.events.at[0]->index, 0);
	assert_int_equal(set.events.at[1]->leader, 1);
	a = &set.events.at[0]->attr;
	assert_int_equal(a->config, 3 << 14 | 1);
	assert_int_equal(a->sample_period, 1);
	assert_int_equal(a->aux_watermark, 1 << 18);
	assert_int_equal(a->sample_type & ~SAMPLE_IDENTIFIER,
			 SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU);
	assert_false(a->flags & (ATTR_FREQ | ATTR_EXCLUDE_GUEST));
	assert_true(set.events.at[1]->attr.sample_type & SAMPLE_CALLCHAIN);
	assert_non_null(strstr(buf_text(&notices), "'intel_pt/pt=0/' traces nothing with pt=0"));
	assert_non_null(strstr(buf_text(&notices), "is not recorded yet"));
	event_set_release(&set);
	set = (struct event_set){0};

	tracer(&set, "intel_pt/mtc_period=1/", "intel_pt", 1 << 14);
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), -1);
	assert_string_equal(e.text,
			    "this processor has no mtc_period of 1 ('intel_pt/mtc_period=1/')");
	assert_string_equal(e.hint, "it has: 0, 3, 6, 9");
	event_set_release(&set);
	set = (struct event_set){0};
	e = (struct err){0};

	tracer(&set, "intel_bts//", "intel_bts", 0);
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), -1);
	assert_string_equal(e.text, "'intel_bts//' traces threads, not CPUs");
	e = (struct err){0};
	s.per_thread = true;
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), 0);
	a = &set.events.at[0]->attr;
	assert_int_equal(a->sample_period, 1);
	assert_int_equal(a->aux_watermark, 0);
	assert_false(a->flags & ATTR_FREQ);
	tracer(&set, "intel_pt//", "intel_pt", 0);
	assert_int_equal(sampling_apply(&s, &set, &notices, &e), -1);
	assert_string_equal(e.text, "'intel_bts//' and 'intel_pt//' cannot trace together");
	event_set_release(&set);
	buf_release(&notices);
	assert_int_equal(folder_remove(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pmu_decides_about_processor_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
