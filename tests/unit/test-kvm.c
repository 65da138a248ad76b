// SPDX-License-Identifier: MIT
/* Names of exits, the spread of their times, and those during which records were lost. */
#include "tracepoints.h"

#include "analysis/kvm/kvm.h"

static void processors_have_names_of_their_own(void **state)
{
	enum kvm_isa isa;

	(void)state;
	assert_int_equal(kvm_isa_find("x86_64", "GenuineIntel,6,85,4", &isa), 0);
	assert_string_equal(kvm_exit_name(isa, 12), "HLT");
	assert_string_equal(kvm_exit_name(isa, 48), "EPT_VIOLATION");
	assert_null(kvm_exit_name(isa, 199));
	assert_int_equal(kvm_isa_find("ppc64le", NULL, &isa), 0);
	assert_string_equal(kvm_exit_name(isa, 0x980), "HV_DECREMENTER");
	assert_int_equal(kvm_isa_find("s390x", "IBM,8561", &isa), 0);
	assert_string_equal(kvm_exit_name(isa, 0x1c), "Wait state");
	assert_int_equal(kvm_isa_find("riscv64", NULL, &isa), 0);
	assert_string_equal(kvm_exit_name(isa, 21), "LOAD_GUEST_PAGE_FAULT");
	assert_string_equal(kvm_exit_name(isa, 1ull << 63 | 5), "IRQ_S_TIMER");
	assert_null(kvm_exit_name(isa, 1ull << 63 | 21));
	assert_int_equal(kvm_isa_find("x86_64", "HygonGenuine,24,0,1", &isa), 0);
	assert_string_equal(kvm_exit_name(isa, 0x78), "hlt");
	assert_string_equal(kvm_exit_name(isa, 0x40 + 14), "PF excp");
	assert_string_equal(kvm_exit_name(isa, 0x400), "npf");
	assert_int_equal(kvm_isa_find("aarch64", "0x00000000410fd0c0", &isa), 0);
	assert_string_equal(kvm_exit_name(isa, 0), "IRQ");
	assert_string_equal(kvm_exit_name(isa, 0x24 | KVM_ARM_TRAPPED), "DABT_LOW");
	assert_int_equal(kvm_isa_find("mips64", "loongson3", &isa), -1);
	assert_int_equal(kvm_isa_find(NULL, NULL, &isa), -1);
}

static void the_spread_is_of_the_mean(void **state)
{
	/* 1, 2, 3: mean 2, sum of squares 2, variance 1, of the mean 1/3 */
	struct kvm_row row = {.count = 3, .mean = 2, .squares = 2};

	(void)state;
	assert_in_range((uint64_t)(kvm_row_spread(&row) * 1000), 28867, 28868);
	row.count = 1;
	assert_true(kvm_row_spread(&row) == 0);
}

#define FIELD(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"

static const char *const formats[] = {
	"name: kvm_entry\nID: 1\nformat:\n" FIELD("vcpu_id", "0") "\nprint fmt: \"\"\n",
	"name: kvm_exit\nID: 2\nformat:\n" FIELD("exit_reason", "0") "\nprint fmt: \"\"\n",
};

static void put_kvm(struct traced *m, int kind, uint64_t time, uint64_t value)
{
	const uint64_t raw[2] = {value, 0};

	traced_put(m, kind, time, 0, 7, raw, sizeof(raw));
}

static void exits_over_a_loss_are_uncertain(void **state)
{
	const struct kvm_options how = {.vcpu = -1};
	struct traced m = {0};
	struct err e = {0};
	struct kvm k = {0};

	(void)state;
	put_kvm(&m, 1, 100, 0);
	put_kvm(&m, 2, 200, 12); /* HLT */
	put_kvm(&m, 1, 250, 0);
	put_kvm(&m, 2, 300, 12);
	traced_put_lost(&m, 310);
	put_kvm(&m, 1, 400, 0); /* perhaps another exit's end */
	put_kvm(&m, 2, 500, 12);
	put_kvm(&m, 1, 560, 0);
	traced_open(&m, "kvm", formats, ARRAY_SIZE(formats));
	m.rec->m.arch = "x86_64";
	m.rec->cpuid = "GenuineIntel,6,85,4";
	assert_int_equal(kvm_read(&k, &how, m.rec, m.world, &e), 0);
	assert_int_equal(k.count, 3);
	assert_int_equal(k.time_ns, 50 + 100 + 60);
	assert_int_equal(k.lost, 1);
	assert_int_equal(k.uncertain, 1);
	kvm_release(&k);
	traced_close(&m);
}

/* Entry, then HLT from 200 to 250 on CPU 0, CPUID from 300 to 400 on CPU 1, HLT from 500 to 590. */
static void open_three_exits(struct traced *m)
{
	const uint64_t raws[][2] = {{0, 0}, {12, 0}, {0, 0}, {10, 0}, {0, 0}, {12, 0}, {0, 0}};
	const uint64_t times[] = {100, 200, 250, 300, 400, 500, 590};
	const uint32_t cpus[] = {0, 0, 0, 0, 1, 1, 1};

	*m = (struct traced){0};
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		traced_put(m, raws[i][0] ? 2 : 1, times[i], cpus[i], 7, raws[i], sizeof(raws[i]));
	traced_open(m, "kvm", formats, ARRAY_SIZE(formats));
	m->rec->m.arch = "x86_64";
	m->rec->cpuid = "GenuineIntel,6,85,4";
}

static void check_kvm_of(const struct filter *filter, uint64_t count, uint64_t time_ns)
{
	const struct kvm_options how = {.vcpu = -1, .filter = filter};
	struct traced m;
	struct err e = {0};
	struct kvm k;

	open_three_exits(&m);
	assert_int_equal(kvm_read(&k, &how, m.rec, m.world, &e), 0);
	assert_int_equal(k.count, count);
	assert_int_equal(k.time_ns, time_ns);
	kvm_release(&k);
	traced_close(&m);
}

static void times_and_cpus_are_those_of_ends(void **state)
{
	struct filter filter = {.socket = -1};
	struct err e = {0};

	(void)state;
	check_kvm_of(NULL, 3, 50 + 100 + 90);
	assert_int_equal(filter_times_parse(&filter, "0.000000350,0.000000450", 0, 600, &e), 0);
	check_kvm_of(&filter, 1, 100);
	filter_release(&filter);
	filter = (struct filter){.socket = -1};
	assert_int_equal(number_list_parse(&filter.cpus, "1", "cpus", &e), 0);
	check_kvm_of(&filter, 2, 100 + 90);
	filter_release(&filter);
	filter = (struct filter){.socket = -1};
	assert_int_equal(number_list_parse(&filter.tids, "8", "tids", &e), 0);
	check_kvm_of(&filter, 0, 0);
	filter_release(&filter);
}

struct slow_seen {
	struct kvm_slow last;
	int n;
};

static void note_slow(void *ctx, const struct kvm_slow *slow)
{
	struct slow_seen *seen = ctx;

	seen->last = *slow;
	seen->n++;
}

/* As stat live does it: a table after two exits, and one of what came since. */
static void sums_begin_anew_and_what_has_begun_goes_on(void **state)
{
	struct slow_seen seen = {0};
	const struct kvm_options how = {
		.vcpu = -1, .slow = note_slow, .slow_ctx = &seen, .slow_ns = 80};
	const struct source_options ordered = {.mode = SOURCE_ORDERED};
	struct traced m;
	struct err e = {0};
	struct replay rp;
	struct record r;
	struct source *src;
	struct kvm k;

	(void)state;
	open_three_exits(&m);
	src = source_open(m.rec, &ordered, &e);
	assert_non_null(src);
	assert_int_equal(kvm_init(&k, &how, m.rec->m.arch, m.rec->cpuid, &e), 0);
	replay_init_live(&rp, &m.rec->m, m.world, &kvm_analysis, &k);
	rp.err = &e;
	while (source_next(src, &r, &e) > 0) {
		assert_int_equal(replay_add(&rp, &r), 0);
		if (r.header.type != RECORD_SAMPLE || r.sample.time != 500)
			continue;
		kvm_sum(&k); /* the third exit has begun */
		assert_int_equal(k.rows.n, 2);
		assert_int_equal(k.rows.at[0].count, 1);
		assert_int_equal(k.time_ns, 50 + 100);
		kvm_zero(&k);
	}
	kvm_sum(&k);
	assert_int_equal(k.rows.n, 1);
	assert_int_equal(k.rows.at[0].key, 12);
	assert_int_equal(k.rows.at[0].time_ns, 90);
	assert_int_equal(k.count, 1);
	assert_int_equal(seen.n, 2); /* 100 and 90, not 50 */
	assert_int_equal(seen.last.time, 590);
	assert_int_equal(seen.last.ns, 90);
	assert_int_equal(seen.last.key, 12);
	assert_int_equal(seen.last.pid, 7);
	replay_release(&rp);
	source_free(src);
	kvm_release(&k);
	traced_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processors_have_names_of_their_own),
		cmocka_unit_test(the_spread_is_of_the_mean),
		cmocka_unit_test(exits_over_a_loss_are_uncertain),
		cmocka_unit_test(times_and_cpus_are_those_of_ends),
		cmocka_unit_test(sums_begin_anew_and_what_has_begun_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
