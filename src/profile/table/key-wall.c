// SPDX-License-Identifier: MIT
/* The keys of wall-clock profiles: what a thread did, why it waited, and which thread woke it
 * up. */
#include "profile/table/table.h"
#include "profile/table/wait_reason.h"

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
				      (uint8_t)t->v[COL_SPACE]));
}

static uint64_t take_waker(KEY_TAKE_ARGS)
{
	const uint64_t waker = t->v[COL_WAKER];
	struct thread *const *threads;
	uint64_t value;
	AUTO_BUF text = {0};

	if (waker == WALL_INTERRUPT)
		return intern_str(&table->texts, "[interrupt]");
	if (waker == WALL_NO_WAKER || waker > world_threads(table->samples->world, &threads))
		return intern_str(&table->texts, "-");
	buf_printf(&text, "%s:%d", world_comm(table->samples->world, threads[waker - 1], WORLD_NOW),
		   (int)threads[waker - 1]->tid);
	value = intern_str(&table->texts, buf_text(&text));
	return value;
}

#define C(name) COL_BIT(COL_##name)

const struct key keys_wall[] = {
	{"state", "State", KEY_ORDERED, .columns = C(STATE), .take = take_state,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"reason", "Reason", KEY_ORDERED,
	 .columns = C(STATE) | C(CHAIN) | C(IP) | C(SPACE), .take = take_reason,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{"waker", "Waker", KEY_ORDERED, .columns = C(WAKER), .take = take_waker,
	 .cmp = compare_wall_texts, .measure = measure_wall_text, .identity = text_wall_text,
	 .text = text_wall_text, .fit = KEY_LEFT},
	{NULL},
};
