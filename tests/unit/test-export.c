// SPDX-License-Identifier: MIT
/* Stacks made of samples, and JSON. */
#include "recordings.h"

#include "analysis/stacks.h"
#include "profile/samples/read.h"
#include "view/out/json.h"
#include "view/out/short_name.h"

#define BASE 0xffffffffc0000000ull /* where symbols lie, 0x1000 each */
#define TYPE (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_CALLCHAIN)

struct made {
	struct buf data, file;
	struct attr attr;
	struct recording *rec;
	struct world *world;
	struct samples *samples;
	struct stacks stacks;
};

static void begin(struct made *m, const char *names)
{
	memset(m, 0, sizeof(*m));
	m->attr = attr_of(TYPE);
	put_comm(&m->data, &m->attr, 0, "prog");
	for (uint64_t i = 0; names[i]; i++) {
		const char name[] = {names[i], 0};
		struct record r = {.header.type = RECORD_KSYMBOL};

		r.ksymbol = (struct rec_ksymbol){
			.addr = BASE + i * 0x1000, .len = 0x1000, .ksym_type = 1, .name = name};
		put_record(&m->data, &m->attr, r);
	}
}

/* chain: symbols from the sampled one outward, at offsets that differ from sample to sample. */
static void add(struct made *m, uint64_t time, uint32_t cpu, uint64_t period, const char *chain)
{
	struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_KERNEL}};
	uint64_t words[8] = {(uint64_t)-128 /* PERF_CONTEXT_KERNEL */}, n = 1;

	for (; *chain; chain++)
		words[n++] = BASE + (uint64_t)(*chain - 'a') * 0x1000 + 0x10 + time % 7;
	r.sample = (struct sample){.type = TYPE,
				   .ip = words[1],
				   .pid = 10,
				   .tid = 11,
				   .time = time,
				   .cpu = cpu,
				   .period = period,
				   .callchain = words,
				   .callchain_nr = n};
	put_record(&m->data, &m->attr, r);
}

static void finish(struct made *m, const struct stacks_how *how)
{
	struct symbol_options symbols = {.no_live = true};
	struct samples_options wanted = {.max_stack = 127};
	struct samples_reading reading = {.parallel_from = UINT64_MAX};
	struct err e = {0};

	m->file = make_file(&m->attr, 1, &m->data);
	m->rec = open_bytes(&m->file);
	m->world = world_of_recording(m->rec, &symbols);
	stacks_ask(&wanted, how);
	m->samples = samples_new(&m->rec->m, m->world, &wanted);
	assert_int_equal(samples_read(m->samples, m->rec, &reading, &e), 0);
	samples_settle(m->samples);
	stacks_init(&m->stacks, how);
}

static void end(struct made *m)
{
	stacks_release(&m->stacks);
	samples_free(m->samples);
	world_free(m->world);
	recording_free(m->rec);
	buf_release(&m->data);
	buf_release(&m->file);
}

/* "abc": the functions from the root to the node. */
static const char *stack_text(const struct stacks *s, uint32_t node, char text[16])
{
	char *at = text + 15;

	for (*at = 0; node; node = s->nodes.at[node].parent)
		*--at = *s->functions.at[s->frames.at[s->nodes.at[node].frame].function].name;
	return at;
}

static void stacks_share_their_beginnings(void **state)
{
	const struct stacks_how how = {.times = true};
	struct made m;
	char text[16];

	(void)state;
	begin(&m, "abc");
	add(&m, 1000, 0, 10, "cba"); /* c called by b called by a */
	add(&m, 3000, 1, 20, "ba");
	add(&m, 2000, 0, 30, "cba");
	finish(&m, &how);
	stacks_add(&m.stacks, m.samples, NULL, &m.rec->m.events, 0);
	stacks_sort(&m.stacks);
	assert_int_equal(m.stacks.nodes.n, 4); /* the root, a, ab, abc */
	assert_int_equal(m.stacks.functions.n, 3);
	assert_int_equal(m.stacks.threads.n, 1);
	assert_string_equal(m.stacks.threads.at[0].comm, "prog");
	assert_int_equal(m.stacks.samples.n, 3);
	assert_int_equal(m.stacks.first[0], 1000);
	assert_int_equal(m.stacks.duration[0], 2000);
	assert_int_equal(m.stacks.samples.at[0].time, 0);
	assert_int_equal(m.stacks.samples.at[1].time, 1000);
	assert_int_equal(m.stacks.samples.at[1].weight, 30);
	assert_string_equal(stack_text(&m.stacks, m.stacks.samples.at[1].node, text), "abc");
	assert_string_equal(stack_text(&m.stacks, m.stacks.samples.at[2].node, text), "ab");
	assert_int_equal(m.stacks.samples.at[2].cpu, 1);
	assert_int_equal(m.stacks.functions.at[0].kind, STACK_KERNEL);
	end(&m);
}

static void equal_samples_of_a_moment_fold(void **state)
{
	const struct stacks_how how = {.times = true, .time_quantum = 700};
	struct made m;

	(void)state;
	begin(&m, "ab");
	add(&m, 1407, 0, 10, "ba");
	add(&m, 1400, 0, 20, "ba"); /* the same slot: 1400 */
	add(&m, 2800, 0, 40, "ba");
	add(&m, 1414, 1, 80, "ba"); /* another CPU */
	finish(&m, &how);
	assert_int_equal(m.samples->cells.n, 2); /* times do not part cells */
	stacks_add(&m.stacks, m.samples, NULL, &m.rec->m.events, 0);
	stacks_sort(&m.stacks);
	assert_int_equal(m.stacks.samples.n, 3);
	assert_int_equal(m.stacks.first[0], 1400);
	assert_int_equal(m.stacks.samples.at[0].weight, 30);
	assert_int_equal(m.stacks.samples.at[0].samples, 2);
	assert_int_equal(m.stacks.samples.at[1].weight, 80);
	assert_int_equal(m.stacks.samples.at[1].cpu, 1);
	assert_int_equal(m.stacks.samples.at[2].time, 1400);
	assert_int_equal(m.stacks.samples.at[2].weight, 40);
	end(&m);
}

/* As few ties and many are sorted in different ways. */
static void samples_of_a_moment_are_in_the_order_of_cpus(void **state)
{
	const struct stacks_how how = {.times = true, .time_quantum = 7000};
	const uint32_t ties[] = {9, 90};

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(ties); k++) {
		struct made m;

		begin(&m, "ab");
		for (uint32_t i = 0; i < ties[k]; i++)
			add(&m, 14000 + 7ull * i, ties[k] - 1 - i, 1 + i, "ba");
		add(&m, 7000, 5, 1000, "ba");
		finish(&m, &how);
		stacks_add(&m.stacks, m.samples, NULL, &m.rec->m.events, 0);
		stacks_sort(&m.stacks);
		assert_int_equal(m.stacks.samples.n, ties[k] + 1);
		assert_int_equal(m.stacks.samples.at[0].weight, 1000);
		for (uint32_t i = 0; i < ties[k]; i++) {
			assert_int_equal(m.stacks.samples.at[1 + i].cpu, i);
			assert_int_equal(m.stacks.samples.at[1 + i].weight, ties[k] - i);
		}
		end(&m);
	}
}

static void addresses_part_frames(void **state)
{
	const struct stacks_how how = {.addresses = true};
	struct made m;

	(void)state;
	begin(&m, "ab");
	add(&m, 1000, 0, 1, "ba");
	add(&m, 1001, 0, 1, "ba"); /* other addresses of the same functions */
	finish(&m, &how);
	stacks_add(&m.stacks, m.samples, NULL, &m.rec->m.events, 0);
	stacks_sort(&m.stacks);
	assert_int_equal(m.stacks.functions.n, 2);
	assert_int_equal(m.stacks.frames.n, 4);
	assert_int_equal(m.stacks.nodes.n, 5);
	assert_int_equal(m.stacks.samples.at[0].time, 0);
	end(&m);
}

static void a_filter_leaves_what_it_names(void **state)
{
	const struct stacks_how how = {0};
	struct filter filter = {.socket = -1};
	struct made m;

	(void)state;
	begin(&m, "ab");
	add(&m, 1000, 0, 5, "ba");
	add(&m, 2000, 0, 7, "a");
	finish(&m, &how);
	name_list_add(&filter.symbols, "b", ",");
	stacks_add(&m.stacks, m.samples, &filter, &m.rec->m.events, 0);
	stacks_sort(&m.stacks);
	assert_int_equal(m.stacks.samples.n, 1);
	assert_int_equal(m.stacks.samples.at[0].weight, 5);
	filter_release(&filter);
	end(&m);
}

static void two_sides_begin_together(void **state)
{
	const struct stacks_how how = {.times = true};
	struct made a, b;

	(void)state;
	begin(&a, "ab");
	add(&a, 1000, 0, 1, "a");
	add(&a, 1500, 0, 1, "b");
	finish(&a, &how);
	begin(&b, "ba"); /* the same functions at other addresses */
	add(&b, 900000, 0, 1, "b");
	add(&b, 900100, 0, 1, "a");
	finish(&b, &how);
	stacks_add(&a.stacks, a.samples, NULL, &a.rec->m.events, 0);
	stacks_add(&a.stacks, b.samples, NULL, &a.rec->m.events, 1);
	stacks_sort(&a.stacks);
	assert_int_equal(a.stacks.functions.n, 2);
	assert_int_equal(a.stacks.nodes.n, 3);
	assert_int_equal(a.stacks.first[1], 900000);
	assert_int_equal(a.stacks.duration[0], 500);
	assert_int_equal(a.stacks.duration[1], 100);
	assert_int_equal(a.stacks.samples.at[2].time, 100);
	assert_int_equal(a.stacks.samples.at[2].side, 1);
	end(&b);
	end(&a);
}

static void units(void **state)
{
	struct event clock = {.name = "cpu-clock:u", .attr.type = TYPE_SOFTWARE};
	struct event cycles = {.name = "cycles:pp"};
	struct event tracepoint = {.name = "sched:sched_switch", .attr.type = TYPE_TRACEPOINT};
	const struct event *events[] = {&clock, &cycles, &tracepoint};
	const char *wanted[] = {"ns", "cycles", "events"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		AUTO_BUF b = {0};

		stacks_unit(events[i], &b);
		assert_string_equal(buf_text(&b), wanted[i]);
	}
}

static void json(void **state)
{
	AUTO_BUF b = {0};
	struct json j = {.out = &b};

	(void)state;
	json_open(&j, '{');
	json_text_member(&j, "a\"", "\\\n\x01 \xc3\xa4 \xff \xed\xa0\x80");
	json_name(&j, "list");
	json_open(&j, '[');
	json_number_element(&j, 1);
	json_open(&j, '[');
	json_close(&j, ']');
	json_text_element(&j, "");
	json_close(&j, ']');
	json_bool_member(&j, "yes", true);
	json_number_member(&j, "n", UINT64_MAX);
	json_close(&j, '}');
	assert_string_equal(buf_text(&b),
			    "{\"a\\\"\":\"\\\\\\u000a\\u0001 \xc3\xa4 \xef\xbf\xbd "
			    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\"list\":[1,[],\"\"],"
			    "\"yes\":true,\"n\":18446744073709551615}");
}

static void names_lose_first_what_they_have_in_common(void **state)
{
	static const struct {
		const char *name, *plain, *two, *one;
	} names[] = {
		{"main", "main", "main", "main"},
		{"std::list<int, a<b> >::add(int const&) const", "std::list::add", "list::add",
		 "add"},
		{"<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", "alloc::vec::Vec::extend",
		 "Vec::extend", "extend"},
		{"aaaa::b<int>::operator()(int)", "aaaa::b::operator()", "b::operator()",
		 "operator()"},
		{"std::operator<< <std::char_traits<char> >", "std::operator<< ",
		 "std::operator<< ", "operator<< "},
		{"(anonymous namespace)::c::(anonymous namespace)::d", "c::d", "c::d", "d"},
		{"core::FnOnce<fn(i32) -> u8>::call", "core::FnOnce::call", "FnOnce::call", "call"},
		{"my_operator<int>", "my_operator", "my_operator", "my_operator"},
		{"broken<::name", "broken<::name", "broken<::name", "name"},
		{"a>::b", "a>::b", "a>::b", "b"},
		{"<int>", "<int>", "<int>", "<int>"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *const forms[] = {names[i].name, names[i].plain, names[i].two,
					     names[i].one};

		for (size_t k = 0; k < ARRAY_SIZE(forms); k++) {
			struct buf got = {0};

			short_name(names[i].name, name_length(forms[k]), &got);
			assert_string_equal(buf_text(&got), forms[k]);
			buf_clear(&got);
			short_name(names[i].name, 1, &got);
			assert_string_equal(buf_text(&got), names[i].one);
			buf_release(&got);
		}
	}
	assert_int_equal(name_length("\xc3\xa4\xe2\x80\xa6z"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_lose_first_what_they_have_in_common),
		cmocka_unit_test(stacks_share_their_beginnings),
		cmocka_unit_test(equal_samples_of_a_moment_fold),
		cmocka_unit_test(samples_of_a_moment_are_in_the_order_of_cpus),
		cmocka_unit_test(addresses_part_frames),
		cmocka_unit_test(a_filter_leaves_what_it_names),
		cmocka_unit_test(two_sides_begin_together),
		cmocka_unit_test(units),
		cmocka_unit_test(json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
