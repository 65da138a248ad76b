// SPDX-License-Identifier: MIT
/* Names of exits, and the spread of their times. */
#include "unit.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processors_have_names_of_their_own),
		cmocka_unit_test(the_spread_is_of_the_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
