// SPDX-License-Identifier: MIT
#include "unit.h"

#include "base/buf.h"
#include "symbol/demangle.h"
#include "symbol/dso.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

int landmark(int x);
__attribute__((noinline)) int landmark(int x)
{
	return x * 3 + 1;
}

static uint64_t load_base(void)
{
	return _r_debug.r_map->l_addr;
}

static void names_tell_the_kind(void **state)
{
	static const struct {
		const char *name, *short_name;
		enum dso_kind kind;
	} cases[] = {
		{"/usr/lib/x86_64-linux-gnu/libc.so.6", "libc.so.6", DSO_FILE},
		{"[kernel.kallsyms]", "[kernel.kallsyms]", DSO_KERNEL},
		{"[guest.kernel.kallsyms.12]", "[guest.kernel.kallsyms.12]", DSO_KERNEL},
		{"/lib/modules/6.1/kernel/arch/x86/kvm/kvm-intel.ko.xz", "[kvm_intel]", DSO_MODULE},
		{"[kvm]", "[kvm]", DSO_MODULE},
		{"[vdso]", "[vdso]", DSO_VDSO},
		{"[vsyscall]", "[vsyscall]", DSO_VSYSCALL},
		{"//anon", "anon", DSO_ANON},
		{"[heap]", "[heap]", DSO_ANON},
		{"/tmp/perf-77.map", "[JIT] tid 77", DSO_ANON},
		{"bpf_prog_6deef7357e7b4530", "bpf_prog_6deef7357e7b4530", DSO_BPF},
	};
	struct dso_set set;

	(void)state;
	dso_set_init(&set, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dso *dso = dso_set_get(&set, cases[i].name, NULL, DSO_UNKNOWN, -1);

		assert_int_equal(dso->kind, cases[i].kind);
		assert_string_equal(dso->short_name, cases[i].short_name);
		assert_ptr_equal(dso_set_get(&set, cases[i].name, NULL, DSO_UNKNOWN, -1), dso);
	}
	assert_int_equal(dso_set_get(&set, "/tmp/perf-77.map", NULL, DSO_UNKNOWN, -1)->pid, 77);
	dso_set_release(&set);
}

static void own_functions_have_their_names(void **state)
{
	struct symbol_options options = {.demangle = true};
	struct dso_set set;
	char path[4096] = "";
	const struct symbol *s;
	struct build_id id;
	struct dso *dso;
	uint64_t vaddr = (uint64_t)(uintptr_t)landmark - load_base(), rva;

	(void)state;
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	dso_set_init(&set, &options);
	dso = dso_set_get(&set, path, NULL, DSO_UNKNOWN, -1);
	s = dso_find_name(dso, "landmark");
	assert_non_null(s);
	rva = s->start;
	assert_ptr_equal(dso_find(dso, rva + 1), s);
	assert_int_equal(dso_vaddr(dso, rva), vaddr);
	assert_int_equal(dso_rva(dso, rva), rva);
	assert_int_equal(dso->source, SYMBOLS_SYMTAB);
	assert_string_equal(dso->source_path, path);
	/* a file with another build-id is never used */
	assert_int_equal(build_id_of_file(path, &id), 0);
	assert_int_equal(id.size, 20);
	id.bytes[7] ^= 1;
	dso = dso_set_get(&set, path, &id, DSO_UNKNOWN, -1);
	assert_null(dso_find(dso, rva + 1));
	assert_int_equal(dso->source, SYMBOLS_NONE);
	dso_set_release(&set);
}

static void names_are_shown_as_they_were_written(void **state)
{
	static const struct {
		const char *mangled, *shown, *with_params; /* NULL: stays as it is */
	} cases[] = {
		{"main", NULL, NULL},
		{"_ZN3foo3barEi", "foo::bar", "foo::bar(int)"},
		{"_ZNKSt8functionIFvvEEclEv", "std::function<void ()>::operator()",
		 "std::function<void ()>::operator()() const"},
		{"_ZN3foo3barEi.part.0.cold", "foo::bar",
		 "foo::bar(int) [clone .part.0] [clone .cold]"},
		{"_ZTV3foo", "vtable for foo", "vtable for foo"},
		{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt",
		 "core::fmt::Write::write_fmt"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "mycrate::foo::bar"},
		{"camlStdlib__List__map_1234", "Stdlib.List.map_1234", "Stdlib.List.map_1234"},
		{"camlFoo__fun$20x_12", "Foo.fun x_12", "Foo.fun x_12"},
		{"caml_alloc", NULL, NULL},
		{"Lfoo/Bar;baz([IJLjava/lang/String;)V",
		 "foo.Bar.baz(int[], long, java.lang.String)",
		 "foo.Bar.baz(int[], long, java.lang.String)"},
		{"Lfoo/Bar;baz(", NULL, NULL},
		{"Lfoo/Bar;baz(X)V", NULL, NULL},
		{"LFoo;", NULL, NULL},
		{"_D8demangle4testFZv", "demangle.test()", "demangle.test()"},
		{"_D3foo3Bar3bazMFiZAya", "foo.Bar.baz(int)", "foo.Bar.baz(int)"},
		{"_D3std5stdio__T7writelnTAyaZQnFNfQjZv",
		 "std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])",
		 "std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])"},
		{"_DYNAMIC", NULL, NULL},
		{"_D", NULL, NULL},
		{"_ZN", NULL, NULL},
		{"_R", NULL, NULL},
		{"__Z3fooi", NULL, NULL},
		{"github.com/foo/bar.Baz", NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_CHAR *shown = demangle(cases[i].mangled, false);
		AUTO_CHAR *with_params = demangle(cases[i].mangled, true);

		if (!cases[i].shown) {
			assert_null(shown);
			assert_null(with_params);
			continue;
		}
		assert_non_null(shown);
		assert_string_equal(shown, cases[i].shown);
		assert_string_equal(with_params, cases[i].with_params);
	}
}

/* Each argument holds the one before it twice: the last one alone would have 2^30 parts. */
static void names_that_expand_without_end_stay_as_they_are(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	(void)state;
	for (int arguments = 3; arguments <= 30; arguments += 27) {
		struct buf name = {0};
		char *shown;

		buf_str(&name, "_Z1f1AIiiE");
		for (int i = 0; i < arguments; i++)
			buf_printf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
		shown = demangle(buf_text(&name), true);
		if (arguments == 3)
			assert_int_equal(strlen(shown), 240);
		else
			assert_null(shown);
		free(shown);
		buf_release(&name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_the_kind),
		cmocka_unit_test(own_functions_have_their_names),
		cmocka_unit_test(names_are_shown_as_they_were_written),
		cmocka_unit_test(names_that_expand_without_end_stay_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
