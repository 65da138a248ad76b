// SPDX-License-Identifier: MIT
#include "folder.h"
#include "unit.h"

#include "probe/definition.h"
#include "probe/dwarf/raw_debug.h"
#include "probe/dwarf/sources.h"
#include "probe/marker.h"
#include "probe/names.h"
#include "probe/target.h"
#include "symbol/cache/unit_lists.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

struct parsed {
	struct arena arena;
	struct probe_spec s;
	struct err err;
	int ret;
};

static struct parsed *parse(struct parsed *p, const char *text)
{
	*p = (struct parsed){0};
	p->ret = probe_spec_parse(&p->s, text, &p->arena, &p->err);
	return p;
}

static void release(struct parsed *p)
{
	probe_spec_release(&p->s);
	arena_release(&p->arena);
}

static void a_spec_has_its_parts(void **state)
{
	struct parsed p;

	(void)state;
	assert_int_equal(parse(&p, " grp:ev=parse@src/a.c:12  line len:u8 ")->ret, 0);
	assert_string_equal(p.s.group, "grp");
	assert_string_equal(p.s.event, "ev");
	assert_string_equal(p.s.function, "parse");
	assert_string_equal(p.s.file, "src/a.c");
	assert_int_equal(p.s.line, 12);
	assert_int_equal(p.s.args.n, 2);
	assert_string_equal(p.s.args.at[1].value, "len");
	assert_string_equal(p.s.args.at[1].type, "u8");
	assert_true(probe_spec_needs_dwarf(&p.s));
	release(&p);
	assert_int_equal(parse(&p, "f%return x=$retval:s32 %ax")->ret, 0);
	assert_true(p.s.retprobe);
	assert_string_equal(p.s.args.at[0].name, "x");
	assert_string_equal(p.s.args.at[1].value, "%ax");
	assert_false(probe_spec_needs_dwarf(&p.s));
	release(&p);
	assert_int_equal(parse(&p, "f+0x10")->ret, 0);
	assert_int_equal(p.s.offset, 16);
	release(&p);
	assert_int_equal(parse(&p, "a.c;x*=*;")->ret, 0);
	assert_null(p.s.function);
	assert_string_equal(p.s.file, "a.c");
	assert_string_equal(p.s.pattern, "x*=*;");
	release(&p);
	assert_int_equal(parse(&p, "0xffff80 %di")->ret, 0);
	assert_true(p.s.has_address && p.s.address == 0xffff80);
	release(&p);
	assert_int_equal(parse(&p, "%sdt_toy:start")->ret, 0);
	assert_true(p.s.sdt);
	assert_string_equal(p.s.group, "sdt_toy");
	assert_string_equal(p.s.function, "start");
	release(&p);
}

static void names_keep_escaped_and_double_colons(void **state)
{
	struct parsed p;

	(void)state;
	assert_int_equal(parse(&p, "ns::Foo::bar:3")->ret, 0);
	assert_string_equal(p.s.function, "ns::Foo::bar");
	assert_int_equal(p.s.line, 3);
	release(&p);
	assert_int_equal(parse(&p, "operator\\+\\=")->ret, 0);
	assert_string_equal(p.s.function, "operator+=");
	release(&p);
	assert_int_equal(parse(&p, "f@a\\:b.c")->ret, 0);
	assert_string_equal(p.s.file, "a:b.c");
	release(&p);
}

static void members_are_steps(void **state)
{
	const struct probe_arg *a;
	struct parsed p;

	(void)state;
	assert_int_equal(parse(&p, "f b=s->in[2].name:string@user")->ret, 0);
	a = &p.s.args.at[0];
	assert_string_equal(a->name, "b");
	assert_string_equal(a->value, "s");
	assert_string_equal(a->type, "string");
	assert_true(a->user);
	assert_int_equal(a->fields.n, 3);
	assert_true(a->fields.at[0].arrow);
	assert_string_equal(a->fields.at[0].name, "in");
	assert_null(a->fields.at[1].name);
	assert_int_equal(a->fields.at[1].index, 2);
	assert_false(a->fields.at[2].arrow);
	assert_string_equal(a->label, "name");
	release(&p);
}

static void mistakes_are_told_at_their_place(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		const char *what;
	} wrong[] = {
		{"", 0, "a place should stand here"},
		{"f:x", 2, "a line's number should stand here"},
		{"f+y", 2, "an offset in bytes should stand here"},
		{"f%exit", 2, "only 'return' can follow '%'"},
		{"f:3+4", 0, "a line's number and an offset exclude each other"},
		{"f%return+4", 0, "a return has no offset, line or pattern"},
		{"f%return x", 9, "a variable is not there any more when its function returns"},
		{"a.c:0", 0, "a file needs a line's number or a pattern"},
		{"1a=f", 0, "an event's name is made of letters, digits and '_'"},
		{"f a[x]", 4, "an index is a number, followed by ']'"},
		{"f a->", 5, "a member's name should stand here"},
		{"f a-b", 3, "members follow '->' or '.'"},
		{"f a:", 4, "a type should stand here"},
		{"f x=", 4, "an argument's value should stand here"},
		{"f;", 2, "a pattern should stand here"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct parsed p;
		char caret[500];

		assert_int_equal(parse(&p, wrong[i].text)->ret, -1);
		snprintf(caret, sizeof(caret), "probe syntax error: '%s'\n%*s\\___ %s",
			 wrong[i].text, (int)(21 + wrong[i].at), "", wrong[i].what);
		assert_string_equal(p.err.hint, caret);
		assert_int_equal(p.err.code, ERR_USAGE);
		release(&p);
	}
}

static void a_definition_is_a_line_and_back(void **state)
{
	static const char user[] =
		"p:probe_prog/parse /a:b/prog:0x1180(0x40) line_string=+0(%di):string len=%si:x64";
	static const char kernel[] = "r4:probe/f__return snd_pcm:f+16 arg1=$retval";
	struct arena arena = {0};
	struct probe_def d;
	AUTO_BUF text = {0};

	(void)state;
	assert_true(probe_def_parse(user, sizeof(user) - 1, true, &arena, &d));
	assert_string_equal(d.group, "probe_prog");
	assert_string_equal(d.event, "parse");
	assert_string_equal(d.file, "/a:b/prog");
	assert_int_equal(d.address, 0x1180);
	assert_int_equal(d.counter, 0x40);
	assert_int_equal(d.args.n, 2);
	assert_string_equal(d.args.at[0].name, "line_string");
	assert_string_equal(d.args.at[1].name, "len");
	d.args.at[0].base = "%di";
	d.args.at[0].type = "string";
	vec_add(&d.args.at[0].derefs, (struct probe_deref){8});
	vec_add(&d.args.at[0].derefs, (struct probe_deref){-16, true});
	d.args.at[1].base = "@";
	vec_add(&d.args.at[1].derefs, (struct probe_deref){4096});
	vec_add(&d.args.at[1].derefs, (struct probe_deref){4});
	probe_def_text(&d, &text);
	assert_string_equal(buf_text(&text), "p:probe_prog/parse /a:b/prog:0x1180(0x40) "
					     "line_string=+u-16(+8(%di)):string len=+4(@+4096)");
	probe_def_release(&d);
	assert_true(probe_def_parse(kernel, sizeof(kernel) - 1, false, &arena, &d));
	assert_true(d.retprobe);
	assert_string_equal(d.module, "snd_pcm");
	assert_string_equal(d.symbol, "f");
	assert_int_equal(d.offset, 16);
	probe_def_release(&d);
	assert_false(probe_def_parse("-:a/b", 5, true, &arena, &d));
	assert_false(probe_def_parse("p:ab /x:0x1", 11, true, &arena, &d));
	arena_release(&arena);
}

static const char *name(const char *spec, const char *function, const char *file,
			enum probe_naming how, struct arena *arena)
{
	struct probe_names names = {0};
	struct probe_def d = {.file = file, .function = function, .symbol = function};
	struct parsed p;
	const char *out;

	probe_names_add(&names, "probe", "taken");
	probe_names_add(&names, "probe", "taken_1");
	parse(&p, spec);
	d.retprobe = p.s.retprobe;
	out = probe_name_def(&d, &p.s, how, &names, arena, &p.err)
		      ? arena_strdup(arena, p.err.text)
		      : arena_printf(arena, "%s:%s", d.group, d.event);
	probe_names_release(&names);
	release(&p);
	return out;
}

static void probes_are_named_after_places(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_string_equal(name("f", "f", NULL, PROBE_NAME_NEW, &a), "probe:f");
	assert_string_equal(name("f%return", "f", "/bin/my-prog.so.6", PROBE_NAME_NEW, &a),
			    "probe_my:f__return");
	assert_string_equal(name("g:e=f%return", "f", NULL, PROBE_NAME_NEW, &a), "g:e__return");
	assert_string_equal(name("f:7", "g", NULL, PROBE_NAME_NEW, &a), "probe:f_L7");
	assert_string_equal(name("a.c:7", "g.isra.0", NULL, PROBE_NAME_NEW, &a), "probe:g");
	assert_string_equal(name("f*", "foo", NULL, PROBE_NAME_NEW, &a), "probe:foo");
	assert_string_equal(name("ns::Foo::bar", "bar", NULL, PROBE_NAME_NEW, &a),
			    "probe:ns_Foo_bar");
	assert_string_equal(name("0x12f0", NULL, NULL, PROBE_NAME_NEW, &a), "probe:abs_12f0");
	assert_string_equal(name("taken", "taken", NULL, PROBE_NAME_FREE, &a), "probe:taken");
	assert_string_equal(name("taken", "taken", NULL, PROBE_NAME_SUFFIX, &a), "probe:taken_2");
	assert_string_equal(name("taken", "taken", NULL, PROBE_NAME_NEW, &a),
			    "event \"taken\" already exists.");
	assert_string_equal(name("~", "~", NULL, PROBE_NAME_NEW, &a),
			    "'' cannot be an event's name");
	arena_release(&a);
}

static void filters_join_globs(void **state)
{
	(void)state;
	assert_int_equal(probe_filter_match("!_* & !*@plt", "main", NULL), 1);
	assert_int_equal(probe_filter_match("!_* & !*@plt", "_start", NULL), 0);
	assert_int_equal(probe_filter_match("!_* & !*@plt", "puts@plt", NULL), 0);
	assert_int_equal(probe_filter_match("a*|(b* & !*z)", "bz", NULL), 0);
	assert_int_equal(probe_filter_match("a*|(b* & !*z)", "by", NULL), 1);
	assert_int_equal(probe_filter_match("a* &", "ab", NULL), -1);
	assert_int_equal(probe_filter_match("(a*", "ab", NULL), -1);
	assert_int_equal(probe_filter_match("a* b*", "ab", NULL), -1);
}

static bool matches(const char *line, const char *pattern)
{
	return source_line_matches(line, strlen(line), pattern);
}

static void patterns_ignore_blanks(void **state)
{
	(void)state;
	assert_true(matches("\tx  +=  y;", "x+=y;"));
	assert_true(matches("return  a * b;", "return*;"));
	assert_true(matches("for (;;)", "f*(*)"));
	assert_false(matches("x = 1;", "x"));
	assert_true(matches("", "*"));
	assert_false(matches("", "x"));
}

static const char *marker(const char *text, struct arena *arena)
{
	struct probe_fetch f;
	struct buf out = {0};
	const char *got = "none";

	if (probe_marker_arg(EM_X86_64, text, strlen(text), 3, arena, &f)) {
		probe_fetch_text(&f, &out);
		got = arena_strdup(arena, buf_text(&out));
	}
	buf_release(&out);
	vec_release(&f.derefs);
	return got;
}

static void markers_arguments_are_fetched(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_string_equal(marker("-4@%edi", &a), " arg3=%di:s32");
	assert_string_equal(marker("8@%r10d", &a), " arg3=%r10:u64");
	assert_string_equal(marker("1@%sil", &a), " arg3=%si:u8");
	assert_string_equal(marker("1@%al", &a), " arg3=%ax:u8");
	assert_string_equal(marker("8@-80(%rbx)", &a), " arg3=-80(%bx):u64");
	assert_string_equal(marker("-2@(%rsp)", &a), " arg3=+0(%sp):s16");
	assert_string_equal(marker("4@$-5", &a), " arg3=\\-5:u32");
	assert_string_equal(marker("8@x(%rip)", &a), "none");
	assert_string_equal(marker("8@8(%rax,%rbx,4)", &a), "none");
	assert_string_equal(marker("3@%eax", &a), "none");
	assert_string_equal(marker("%eax", &a), "none");
	arena_release(&a);
}

static const struct unit_lists_key units_key = {{.size = 4, .bytes = {1, 2, 3, 4}}, 77};

static void units_that_answered_are_found_again(void **state)
{
	static const uint64_t units[] = {11, 1ull << 33};
	struct unit_lists l = {0}, again;
	struct unit_lists_key other = units_key;
	const struct unit_list *found;
	char box[] = "/tmp/test-probe-XXXXXX", path[64];
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(box));
	unit_lists_load(&l, box, &units_key);
	assert_null(unit_lists_find(&l, "function f"));
	unit_lists_add(&l, "function f", units, 2);
	unit_lists_add(&l, "function g", NULL, 0);
	unit_lists_store(&l, box, &units_key, 1 << 20);
	unit_lists_release(&l);
	unit_lists_load(&again, box, &units_key);
	assert_int_equal(again.n, 2);
	found = unit_lists_find(&again, "function f");
	assert_int_equal(found->n, 2);
	assert_memory_equal(found->units, units, sizeof(units));
	assert_int_equal(unit_lists_find(&again, "function g")->n, 0);
	unit_lists_release(&again);
	other.identity++;
	unit_lists_load(&again, box, &other);
	assert_int_equal(again.n, 0);
	/* damage */
	snprintf(path, sizeof(path), "%s/units-01020304", box);
	f = fopen(path, "r+");
	fseek(f, -3, SEEK_END);
	fputc(9, f);
	fclose(f);
	unit_lists_load(&again, box, &units_key);
	assert_int_equal(again.n, 0);
	remove(path);
	/* no more than the limits */
	for (unsigned int i = 0; i < UNIT_LISTS_MAX + 9; i++) {
		snprintf(path, sizeof(path), "function %u", i);
		unit_lists_add(&l, path, units, 1);
	}
	assert_int_equal(l.n, UNIT_LISTS_MAX);
	assert_null(unit_lists_find(&l, "function 8"));
	assert_non_null(unit_lists_find(&l, "function 9"));
	unit_lists_store(&l, box, &units_key, 4096);
	unit_lists_release(&l);
	unit_lists_load(&again, box, &units_key);
	assert_in_range(again.n, 50, 90);
	assert_string_equal(again.at[0].question, "function 264");
	unit_lists_release(&again);
	folder_remove(box);
}

static size_t search_once(const void *p, size_t n, const struct raw_offsets *offsets, size_t from)
{
	struct raw_search s = {.in = {p, n}, .offsets = offsets};
	size_t at;

	raw_search_init(&s);
	at = raw_search_next(&s, from, n);
	raw_search_release(&s);
	return at;
}

static void numbers_are_found_wherever_they_stand(void **state)
{
	static uint8_t bytes[20000];
	struct raw_offsets one = {0}, many = {0};
	const uint32_t number = 0x01020304;

	(void)state;
	vec_add(&one, number);
	for (uint32_t i = 0; i < 20; i++)
		vec_add(&many, number - i);
	assert_int_equal(search_once(bytes, sizeof(bytes), &one, 0), sizeof(bytes));
	for (size_t at = 0; at <= sizeof(bytes) - 4; at += at % 4096 == 4090 ? 1 : 7) {
		memcpy(bytes + at, &number, 4);
		assert_int_equal(search_once(bytes, sizeof(bytes), &one, 0), at);
		assert_int_equal(search_once(bytes, sizeof(bytes), &many, 0), at);
		assert_int_equal(search_once(bytes, sizeof(bytes), &one, at + 1), sizeof(bytes));
		assert_int_equal(search_once(bytes, at + 3, &one, 0), at + 3);
		memset(bytes + at, 0, 4);
	}
	vec_release(&one);
	vec_release(&many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spec_has_its_parts),
		cmocka_unit_test(names_keep_escaped_and_double_colons),
		cmocka_unit_test(members_are_steps),
		cmocka_unit_test(mistakes_are_told_at_their_place),
		cmocka_unit_test(a_definition_is_a_line_and_back),
		cmocka_unit_test(probes_are_named_after_places),
		cmocka_unit_test(filters_join_globs),
		cmocka_unit_test(patterns_ignore_blanks),
		cmocka_unit_test(markers_arguments_are_fetched),
		cmocka_unit_test(units_that_answered_are_found_again),
		cmocka_unit_test(numbers_are_found_wherever_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
