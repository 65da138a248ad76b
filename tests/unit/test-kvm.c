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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processors_have_names_of_their_own),
		cmocka_unit_test(the_spread_is_of_the_mean),
		cmocka_unit_test(exits_over_a_loss_are_uncertain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
