// SPDX-License-Identifier: MIT
/* The keys of top --stdio. */
#include "cmd/top/top_opts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char mapped[] = "deEfFsSKUzqQ";

/* Reads a key. 0: none was typed. -1: end of input. */
static int read_key(const struct top *t)
{
	unsigned char key;
	ssize_t n;

	n = read(STDIN_FILENO, &key, 1);
	if (n == 1)
		return key;
	return n || !t->keys.changed ? -1 : 0;
}

/* Asks a question and reads a line, with the terminal's line editing. False: end of input. */
static bool ask(struct top *t, const char *question, char *line, int size)
{
	bool typed;

	/* this discards typed input, so it goes before the question */
	terminal_keys_end(&t->keys);
	buf_printf(&t->out->buf, "\n%s: ", question);
	out_flush(t->out);
	typed = fgets(line, size, stdin);
	terminal_keys_begin(&t->keys, STDIN_FILENO);
	if (typed)
		line[strcspn(line, "\n")] = '\0';
	return typed;
}

/* Asks for a number. Other input leaves *number as it is. */
static void ask_number(struct top *t, const char *question, unsigned int *number)
{
	char line[32];
	uint64_t v;

	if (ask(t, question, line, sizeof(line)) && !parse_u64(line, &v) && v <= INT32_MAX)
		*number = (unsigned int)v;
}

static void say_for_a_moment(struct top *t, const char *format, const char *name)
	__attribute__((format(printf, 2, 0)));
static void say_for_a_moment(struct top *t, const char *format, const char *name)
{
	buf_printf(&t->out->buf, format, name);
	out_flush(t->out);
	sleep(1);
}

/* True when a row shows the symbol of that name. */
static bool top_keys_is_shown(const struct top *t, const char *symbol)
{
	const struct live_profile *p = t->profile;
	struct err err = {0};
	bool any = false;

	if (live_profile_find_code(t->profile, symbol, &err))
		return false;
	for (size_t i = 0; i < p->code->events.n; i++)
		any |= p->code->events.at[i].shown_samples != 0;
	return any;
}

static void choose_symbol(struct top *t)
{
	char line[256];

	if (!ask(t, "Enter details symbol", line, sizeof(line)) || !*line)
		return;
	if (top_keys_is_shown(t, line))
		top_code_choose(&t->code, line);
	else
		say_for_a_moment(t, "Sorry, %s is not active.\n", line);
}

static void choose_event(struct top *t)
{
	const struct event_set *set = &t->source->m.events;
	unsigned int n = 0, chosen = 0;

	if (t->screen.n_events < 2)
		return;
	buf_str(&t->out->buf, "\nAvailable events:");
	for (size_t i = 0; i < set->events.n; i++)
		if (!set->events.at[i]->side_band)
			buf_printf(&t->out->buf, "\n\t%u %s", n++, set->events.at[i]->name);
	ask_number(t, "Enter details event counter", &chosen);
	if (chosen >= n) {
		t->screen.event = set->events.at[0];
		say_for_a_moment(t, "Sorry, no such event, using %s.\n", t->screen.event->name);
		return;
	}
	n = 0;
	for (size_t i = 0; i < set->events.n; i++)
		if (!set->events.at[i]->side_band && n++ == chosen)
			t->screen.event = set->events.at[i];
}

static void obey_key(struct top *t, int key)
{
	struct top_settings *s = &t->settings;

	switch (key) {
	case 'd':
		ask_number(t, "Enter display delay", &s->delay);
		s->delay = MAX(s->delay, 1u);
		break;
	case 'e':
		ask_number(t, "Enter display entries (lines)", &t->screen.entries);
		break;
	case 'E':
		choose_event(t);
		break;
	case 'f':
		ask_number(t, "Enter display event count filter", &s->least_samples);
		break;
	case 'F':
		ask_number(t, "Enter details display event filter (percent)", &s->min_percent);
		s->min_percent = MIN(s->min_percent, 100u);
		break;
	case 's':
		choose_symbol(t);
		break;
	case 'S':
		top_code_choose(&t->code, NULL);
		break;
	case 'K':
		s->hide_kernel = !s->hide_kernel;
		break;
	case 'U':
		s->hide_user = !s->hide_user;
		break;
	case 'z':
		s->zero = !s->zero;
		break;
	case 'q':
	case 'Q':
		buf_str(&t->out->buf, "exiting.\n");
		t->quit = true;
	}
}

static bool is_mapped(const struct top *t, int key)
{
	return key > 0 && strchr(mapped, key) && (key != 'E' || t->screen.n_events > 1);
}

/* Waits for a key; takes samples meanwhile, and shows nothing. */
static int wait_for_key(struct top *t, struct err *err)
{
	struct session *s = &t->source->session;
	int key = 0;

	while (!key && !s->stop) {
		s->input_ready = false;
		if (live_profile_pull(t->profile, UINT64_MAX, err))
			return -1;
		key = s->input_ready ? read_key(t) : 0;
		if (key < 0)
			t->quit = true;
	}
	return MAX(key, 0);
}

int top_handle_keys(struct top *t, struct err *err)
{
	struct session *s = &t->source->session;
	int key;

	if (!s->input_ready)
		return 0;
	s->input_ready = false;
	key = read_key(t);
	if (key < 0)
		session_unwatch_input(s); /* end of input: no more keys */
	if (key <= 0)
		return 0;
	if (!is_mapped(t, key)) {
		t->settings.symbol = t->code.symbol;
		top_menu_show(&t->screen, &t->settings, t->out);
		out_flush(t->out);
		key = wait_for_key(t, err);
		if (key < 0)
			return -1;
	}
	if (is_mapped(t, key))
		obey_key(t, key);
	return 0;
}
