// SPDX-License-Identifier: MIT
/* The keys of wall-clock profiles: what a thread did, why it waited, and which thread woke it
 * up. */
#include "profile/table/table.h"
#include "profile/table/key/wait_reason.h"

static const char *wall_text(const struct table *table, uint64_t value)
{
	return intern_text(&table->texts, (uint32_t)value);
}

static int compare_wall_texts(KEY_COMPARE_ARGS)
{
	return strcmp(wall_text(table, a), wall_text(table, b));
}

static unsigned int measure_wall_text(KEY_MEASURE_ARGS)
{
	return (unsigned int)strlen(wall_text(table, value));
}

static void text_wall_text(KEY_TEXT_ARGS)
{
	buf_str(out, wall_text(table, value));
}

static uint64_t take_state(KEY_TAKE_ARGS)
{
	return intern_str(&table->texts, wall_state_name((enum wall_state)t->v[COL_STATE]));
}

static uint64_t take_reason(KEY_TAKE_ARGS)
{
	const struct samples *s = table->samples;
	const uint32_t chain = s->ids.chains ? s->ids.chains[t->cell_index] : HASH_NONE;

	return intern_str(&table->texts,
			  wait_reason(&s->frames, chain, (enum wall_state)t->v[COL_STATE],
				      (uint8_t)t->v[COL_SPACE], (uint32_t)t->v[COL_REASON]));
}

/* Appends "comm:tid", "[interrupt]", "[timer]", or "-". */
static void waker_text(const struct samples *s, uint64_t waker, struct buf *out)
{
	struct thread *const *threads;

	if (wall_waker_name((uint32_t)waker))
		buf_str(out, wall_waker_name((uint32_t)waker));
	else if (waker == WALL_NO_WAKER || waker > world_threads(s->world, &threads))
		buf_char(out, '-');
	else
		buf_printf(out, "%s:%d", world_comm(s->world, threads[waker - 1], WORLD_NOW),
			   (int)threads[waker - 1]->tid);
}

static uint64_t take_waker(KEY_TAKE_ARGS)
{
	AUTO_BUF text = {0};

	waker_text(table->samples, t->v[COL_WAKER], &text);
	return intern_str(&table->texts, buf_text(&text));
}

/* The chain of wakers, each with its function, and that with what follows it. */
static uint64_t wakers_value(struct table *table, const struct waker_links *links, uint64_t chain,
			     const char *after_function, const char *between)
{
	const struct waker_link *link = waker_links_first(links, (uint32_t)chain);
	AUTO_BUF text = {0};

	for (; link; link = waker_links_first(links, link->next)) {
		if (text.n)
			buf_str(&text, between);
		waker_text(table->samples, link->waker, &text);
		if (link->function != HASH_NONE)
			buf_printf(&text, " %s%s", intern_text(&links->names, link->function),
				   after_function);
	}
	return intern_str(&table->texts, text.n ? buf_text(&text) : "-");
}

/* "a:12 send() < b:13 reply() < [interrupt]" */
static uint64_t take_wakers(KEY_TAKE_ARGS)
{
	return wakers_value(table, &table->samples->waker_links, t->v[COL_WAKERS], "()", " < ");
}

/* "a:12 send < run < main << b:13 reply < main << [interrupt]" */
static uint64_t take_waker_stacks(KEY_TAKE_ARGS)
{
	return wakers_value(table, &table->samples->waker_stacks, t->v[COL_WAKER_STACKS], "",
			    " << ");
}

static uint64_t take_delayed(KEY_TAKE_ARGS)
{
	static const char *const words[] = {
		[WALL_DELAY_NONE] = "-", [WALL_DELAY_NO] = "no", [WALL_DELAY_YES] = "yes"};

	return intern_str(&table->texts, words[MIN(t->v[COL_DELAY], (uint64_t)WALL_DELAY_YES)]);
}

static uint64_t take_task(KEY_TAKE_ARGS)
{
	const uint64_t task = t->v[COL_TASK];

	return intern_str(&table->texts,
			  task ? intern_text(&table->samples->tasks, (uint32_t)task - 1) : "-");
}

/* Tasks are numbered: 9 stands before 10. */
static int compare_tasks(KEY_COMPARE_ARGS)
{
	return strverscmp(wall_text(table, a), wall_text(table, b));
}

#define C(name) COL_BIT(COL_##name)

const struct key keys_wall[] = {
	{"state", "State", KEY_ORDERED, .columns = C(STATE), .take = take_state,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"reason", "Reason", KEY_ORDERED,
	 .columns = C(STATE) | C(CHAIN) | C(IP) | C(SPACE) | C(REASON), .take = take_reason,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"waker", "Waker", KEY_ORDERED, .columns = C(WAKER), .take = take_waker,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"wakers", "Wakers, last first", KEY_ORDERED, .columns = C(WAKERS), .take = take_wakers,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"waker_stacks", "Stacks of wakers, last first", KEY_ORDERED, .columns = C(WAKER_STACKS),
	 .take = take_waker_stacks, .cmp = compare_wall_texts, .measure = measure_wall_text,
	 .identity = text_wall_text, .text = text_wall_text, .fit = KEY_LEFT},
	{"delayed", "Delayed the end", KEY_ORDERED, .columns = C(DELAY), .take = take_delayed,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"task", "Task", KEY_ORDERED, .columns = C(TASK), .take = take_task, .cmp = compare_tasks,
	 .measure = measure_wall_text, .identity = text_wall_text, .text = text_wall_text,
	 .fit = KEY_LEFT},
	{NULL},
};
