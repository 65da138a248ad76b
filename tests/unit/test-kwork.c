// SPDX-License-Identifier: MIT
/* Times of works and shares of CPUs, of recordings made in memory with known times. */
#include "tracepoints.h"

#include "analysis/kwork/kwork.h"
#include "analysis/kwork/kwork_top.h"

enum { RAISE = 1, ENTRY, EXIT, IRQ_ENTRY, IRQ_EXIT, SWITCH };

#define FIELD(type, name, at, size)                                                                \
	"\tfield:" type " " name ";\toffset:" at ";\tsize:" size ";\tsigned:0;\n"
#define FORMAT(name, id, fields)                                                                   \
	"name: " name "\nID: " id "\nformat:\n" fields "\nprint fmt: \"\"\n"

static const char *const formats[] = {
	FORMAT("softirq_raise", "1", FIELD("unsigned int", "vec", "0", "4")),
	FORMAT("softirq_entry", "2", FIELD("unsigned int", "vec", "0", "4")),
	FORMAT("softirq_exit", "3", FIELD("unsigned int", "vec", "0", "4")),
	FORMAT("irq_handler_entry", "4",
	       FIELD("int", "irq", "0", "4") FIELD("char", "name[4]", "4", "4")),
	FORMAT("irq_handler_exit", "5", FIELD("int", "irq", "0", "4")),
	FORMAT("sched_switch", "6",
	       FIELD("int", "prev_pid", "0", "4") FIELD("int", "next_pid", "4", "4")
		       FIELD("char", "prev_comm[4]", "8", "4")),
};

struct raw {
	uint32_t first, second;
	char text[4];
	uint32_t pad;
};

static void put_event(struct traced *m, int kind, uint64_t time, uint32_t cpu, uint32_t number)
{
	const struct raw raw = {number, 0x636261, "", 0}; /* an interrupt is called "abc" */

	traced_put(m, kind, time, cpu, 1, &raw, sizeof(raw));
}

static void put_switch(struct traced *m, uint64_t time, uint32_t cpu, uint32_t prev, uint32_t next)
{
	struct raw raw = {prev, next, "t0", 0};

	raw.text[1] = (char)('0' + prev);
	traced_put(m, SWITCH, time, cpu, prev, &raw, sizeof(raw));
}

static void open_events(struct traced *m)
{
	traced_open(m, "irq", formats, ARRAY_SIZE(formats));
	m->rec->m.events.events.at[SWITCH - 1]->format->system = "sched";
}

/* Each row: "name cpu count total max; ". */
static void works_are(struct traced *m, struct kwork_options *how, const char *sort,
		      const char *want, struct kwork *k)
{
	struct err e = {0};
	AUTO_BUF text = {0};

	open_events(m);
	how->filter.socket = -1;
	assert_int_equal(kwork_classes_parse(&how->classes, "irq, softirq,irq", &e), 0);
	assert_int_equal(how->classes.n, 2);
	assert_int_equal(kwork_sort_parse(how, sort, &e), 0);
	kwork_init(k, how);
	assert_int_equal(kwork_read(k, m->rec, m->world, &e), 0);
	kwork_sort(k);
	for (size_t i = 0; i < k->order.n; i++) {
		const struct kwork_work *w = &k->works.at[k->order.at[i]];

		kwork_name(k, w, &text);
		buf_printf(&text, " %u %u %u %u; ", w->cpu, (unsigned int)w->count,
			   (unsigned int)w->total_ns, (unsigned int)w->max_ns);
	}
	assert_string_equal(buf_text(&text), want);
	vec_release(&how->sort);
	traced_close(m);
}

static void runtimes_are_from_entry_to_exit(void **state)
{
	struct kwork_options how = {.question = KWORK_RUNTIME}, named = how;
	struct traced m[2] = {0};
	struct kwork k;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		put_event(&m[i], EXIT, 90, 0, 1); /* it began before */
		put_event(&m[i], ENTRY, 100, 0, 1);
		put_event(&m[i], IRQ_ENTRY, 105, 0, 33);
		put_event(&m[i], IRQ_EXIT, 108, 0, 33);
		put_event(&m[i], EXIT, 120, 0, 1);
		put_event(&m[i], ENTRY, 130, 1, 1);
		put_event(&m[i], EXIT, 160, 1, 1);
		put_event(&m[i], ENTRY, 200, 0, 1);
		put_event(&m[i], EXIT, 204, 0, 1);
		put_event(&m[i], ENTRY, 300, 0, 9); /* it never ends */
	}
	works_are(&m[0], &how, "count, max",
		  "(s)TIMER:1 0 2 24 20; (s)TIMER:1 1 1 30 30; abc:33 0 1 3 3; ", &k);
	assert_int_equal(k.skipped[KWORK_EXIT], 1);
	assert_int_equal(k.skipped[KWORK_ENTRY], 1);
	assert_int_equal(k.skipped[KWORK_RAISE], 0);
	assert_int_equal(k.last - k.first, 210);
	kwork_release(&k);
	named.name = "abc";
	works_are(&m[1], &named, "runtime", "abc:33 0 1 3 3; ", &k);
	kwork_release(&k);
}

static void delays_are_from_raise_to_entry(void **state)
{
	struct kwork_options how = {.question = KWORK_DELAY};
	struct traced m = {0};
	struct kwork k;

	(void)state;
	put_event(&m, ENTRY, 50, 0, 1); /* raised before */
	put_event(&m, RAISE, 100, 0, 1);
	put_event(&m, RAISE, 110, 0, 1);
	put_event(&m, ENTRY, 115, 0, 1); /* 5 */
	put_event(&m, ENTRY, 130, 0, 1); /* 30: the second round */
	put_event(&m, RAISE, 200, 0, 1);
	put_event(&m, RAISE, 201, 0, 1);
	put_event(&m, ENTRY, 202, 0, 1); /* 1 */
	put_event(&m, RAISE, 300, 0, 1); /* that of 200 is too old now */
	put_event(&m, ENTRY, 307, 0, 1); /* 7 */
	put_event(&m, ENTRY, 400, 0, 1);
	put_event(&m, RAISE, 500, 1, 1); /* another CPU */
	works_are(&m, &how, "avg", "(s)TIMER:1 0 4 43 30; ", &k);
	assert_int_equal(k.skipped[KWORK_ENTRY], 2);
	assert_int_equal(k.skipped[KWORK_RAISE], 2);
	assert_int_equal(k.skipped[KWORK_EXIT], 0);
	kwork_release(&k);
}

static void times_over_a_loss_are_uncertain(void **state)
{
	struct kwork_options how = {.question = KWORK_RUNTIME};
	struct traced m = {0};
	struct kwork k;

	(void)state;
	put_event(&m, ENTRY, 100, 0, 3);
	traced_put_lost(&m, 110);
	put_event(&m, EXIT, 150, 0, 3);
	put_event(&m, ENTRY, 160, 0, 3);
	put_event(&m, EXIT, 170, 0, 3);
	works_are(&m, &how, "max", "(s)NET_RX:3 0 2 60 50; ", &k);
	assert_int_equal(k.uncertain, 1);
	assert_int_equal(k.uncertain_ns, 50);
	assert_int_equal(k.lost_events, 7);
	kwork_release(&k);
}

static void interrupts_take_no_time_of_tasks(void **state)
{
	struct kwork_top_options how = {.irqs = true, .softirqs = true, .filter.socket = -1};
	struct traced m = {0};
	struct kwork_top t;
	struct err e = {0};
	AUTO_BUF text = {0};

	(void)state;
	put_event(&m, IRQ_ENTRY, 50, 0, 33); /* of a task that is not known */
	put_event(&m, IRQ_EXIT, 60, 0, 33);
	put_switch(&m, 100, 0, 0, 5);
	put_event(&m, ENTRY, 200, 0, 1);
	put_event(&m, IRQ_ENTRY, 210, 0, 33);
	put_event(&m, IRQ_EXIT, 240, 0, 33);
	put_event(&m, EXIT, 300, 0, 1);	      /* 70, and 30 of the interrupt */
	put_event(&m, IRQ_ENTRY, 400, 0, 33); /* its exit is missing */
	put_switch(&m, 600, 0, 5, 0);
	put_switch(&m, 1100, 0, 0, 5);
	put_switch(&m, 100, 1, 0, 5);
	put_switch(&m, 300, 1, 5, 0);
	open_events(&m);
	assert_int_equal(kwork_top_sort_parse(&how, "rate, nonsense", &e), -1);
	vec_clear(&how.sort);
	assert_int_equal(kwork_top_sort_parse(&how, "rate, runtime", &e), 0);
	kwork_top_init(&t, &how);
	assert_int_equal(kwork_top_read(&t, m.rec, m.world, &e), 0);
	kwork_top_sort(&t);
	for (size_t i = 0; i < t.tasks.n; i++)
		buf_printf(&text, "%s %u %u; ", intern_text(&t.names, t.tasks.at[i].comm),
			   (unsigned int)t.tasks.at[i].ns, (unsigned int)t.tasks.at[i].rate);
	/* 400 of 1000 on one CPU, all of the other */
	assert_string_equal(buf_text(&text), "t5 600 14000; t0 500 5000; ");
	assert_int_equal(t.all.total, 1200);
	assert_int_equal(t.all.idle, 500);
	assert_int_equal(t.all.irq, 30);
	assert_int_equal(t.all.softirq, 70);
	assert_int_equal(t.cpus.at[0].load, 400);
	assert_int_equal(t.n_cpus, 2);
	kwork_top_release(&t);
	vec_release(&how.sort);
	traced_close(&m);
}

static void unknown_words_are_refused(void **state)
{
	struct kwork_options how = {0};
	struct kwork_classes classes;
	struct err e = {0};

	(void)state;
	assert_int_equal(kwork_classes_parse(&classes, "irq,nonsense", &e), -1);
	assert_string_equal(e.text, "Unknown --event key: `nonsense'");
	assert_int_equal(kwork_classes_parse(&classes, ", ", &e), -1);
	assert_int_equal(kwork_sort_parse(&how, "max irq", &e), -1);
	assert_string_equal(e.text, "Unknown --sort key: `irq'");
	vec_release(&how.sort);
	assert_null(kwork_vector_name(10));
	assert_string_equal(kwork_class_events(KWORK_SCHED)[0], "sched:sched_switch");
	assert_null(kwork_class_events(KWORK_SCHED)[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runtimes_are_from_entry_to_exit),
		cmocka_unit_test(delays_are_from_raise_to_entry),
		cmocka_unit_test(times_over_a_loss_are_uncertain),
		cmocka_unit_test(interrupts_take_no_time_of_tasks),
		cmocka_unit_test(unknown_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
