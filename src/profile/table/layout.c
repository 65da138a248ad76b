// SPDX-License-Identifier: MIT
#include "profile/table/layout.h"

#include <strings.h>

static const struct {
	const char *name, *header;
} sums[SUMS] = {
	[SUM_OVERHEAD] = {"overhead", "Overhead"},
	[SUM_SYS] = {"overhead_sys", "sys"},
	[SUM_US] = {"overhead_us", "usr"},
	[SUM_GUEST_SYS] = {"overhead_guest_sys", "guest sys"},
	[SUM_GUEST_US] = {"overhead_guest_us", "guest usr"},
	[SUM_CHILDREN] = {"overhead_children", "Children"},
	[SUM_SAMPLES] = {"sample", "Samples"},
	[SUM_PERIOD] = {"period", "Period"},
	[SUM_LATENCY] = {"latency", "Latency"},
};

const char *sum_name(enum sum sum)
{
	return sum_is_part(sum) ? part_columns[sum - SUM_PARTS].field : sums[sum].name;
}

const char *sum_header(enum sum sum)
{
	return sum_is_part(sum) ? part_columns[sum - SUM_PARTS].header : sums[sum].header;
}

const char *sum_title(enum sum sum)
{
	return sum_is_part(sum) ? part_columns[sum - SUM_PARTS].title : NULL;
}

static bool same_field(const struct field *a, const struct field *b)
{
	return a->key == b->key && (a->key >= 0 || a->sum == b->sum);
}

static bool listed(const struct field *at, size_t n, const struct field *f)
{
	for (size_t i = 0; i < n; i++)
		if (same_field(&at[i], f))
			return true;
	return false;
}

/* Adds the field to the columns, or to the sort order, unless it is there. */
static void add_field(struct layout *l, bool to_sort, struct field f)
{
	if (to_sort) {
		if (!listed(l->sort.at, l->sort.n, &f))
			vec_add(&l->sort, f);
	} else if (!listed(l->columns.at, l->columns.n, &f)) {
		vec_add(&l->columns, f);
	}
}

static void layout_add_sum(struct layout *l, bool to_sort, enum sum sum, uint8_t level)
{
	add_field(l, to_sort, (struct field){-1, sum, sum_header(sum), 0, false, false, level});
}

/* Adds the columns of a field of parts. False: it is none, or not of this mode. Names that are a
 * key's, too, are the key in the sort order. */
static bool layout_add_parts(struct layout *l, bool to_sort, const struct layout_options *opts,
			     const char *word, size_t n)
{
	bool any = false;

	for (int i = 0; i < PARTS; i++) {
		const struct part_column *p = &part_columns[i];

		if (strlen(p->field) != n || strncasecmp(p->field, word, n) ||
		    (p->title && (to_sort || opts->mode != MODE_MEMORY)))
			continue;
		layout_add_sum(l, to_sort, (enum sum)(SUM_PARTS + i), 0);
		l->cell_columns |= p->columns;
		l->parts = any = true;
	}
	return any;
}

static int key_use(struct layout *l, struct key_use use)
{
	for (size_t i = 0; i < l->keys.n; i++) {
		const struct key_use *k = &l->keys.at[i];

		if (k->key == use.key && k->field == use.field && k->event == use.event)
			return (int)i;
	}
	use.index = (uint32_t)l->keys.n;
	vec_add(&l->keys, use);
	l->cell_columns |= use.key->columns;
	l->flags |= use.key->flags;
	return (int)use.index;
}

static void add_key(struct layout *l, bool to_sort, struct key_use use, uint8_t level)
{
	int key = key_use(l, use);

	add_field(l, to_sort,
		  (struct field){key, SUM_OVERHEAD, use.header, 0, false, false, level});
}

/* -- fields of tracepoints: [EVENT.]FIELD[/raw] -- */

struct wanted_field {
	const char *event, *field;
	size_t event_len, field_len;
	bool raw;
};

static bool event_wanted(const struct event *ev, const struct wanted_field *want)
{
	if (!want->event)
		return true;
	if (want->event_len > 1 && want->event[0] == '%') {
		uint64_t number = 0;

		for (size_t i = 1; i < want->event_len; i++)
			number = number * 10 + (uint64_t)(want->event[i] - '0');
		return number == ev->index + 1u;
	}
	if (memchr(want->event, ':', want->event_len))
		return strlen(ev->name) == want->event_len &&
		       !strncmp(ev->name, want->event, want->event_len);
	return memmem(ev->name, strlen(ev->name), want->event, want->event_len);
}

static bool wants_all_fields(const struct wanted_field *want)
{
	return want->field_len == 12 && !strncmp(want->field, "trace_fields", 12);
}

static bool add_event_fields(struct layout *l, bool to_sort, const struct event *ev,
			     const struct wanted_field *want, uint8_t level)
{
	bool all = (want->field_len == 1 && want->field[0] == '*') || wants_all_fields(want);
	bool any = false;

	for (size_t i = 0; i < ev->format->fields.n; i++) {
		const struct tp_field *field = &ev->format->fields.at[i];

		if (all ? field->is_common
			: strlen(field->name) != want->field_len ||
				    strncmp(field->name, want->field, want->field_len))
			continue;
		add_key(l, to_sort,
			(struct key_use){.key = &key_tp_field,
					 .header = field->name,
					 .event = ev,
					 .field = field,
					 .raw = want->raw},
			level);
		any = true;
	}
	return any;
}

/* 1: added; 0: there is no such field; -1: wrong. */
static int add_tp_fields(struct layout *l, bool to_sort, const struct layout_options *opts,
			 const char *word, size_t n, uint8_t level, struct err *err)
{
	const char *slash = memchr(word, '/', n);
	size_t name_len = slash ? (size_t)(slash - word) : n;
	const char *dot = memchr(word, '.', name_len);
	struct wanted_field want = {.field = word, .field_len = name_len, .raw = opts->raw_trace};
	bool any = false;

	if (slash) {
		if (n - name_len != 4 || strncmp(slash, "/raw", 4))
			return err_set(err, ERR_USAGE, "unknown option of a field: '%.*s'", (int)n,
				       word);
		want.raw = true;
	}
	if (dot) {
		want.event = word;
		want.event_len = (size_t)(dot - word);
		want.field = dot + 1;
		want.field_len = name_len - want.event_len - 1;
	}
	for (size_t i = 0; opts->events && i < opts->events->events.n; i++) {
		const struct event *ev = opts->events->events.at[i];

		if (ev->format && event_wanted(ev, &want))
			any |= add_event_fields(l, to_sort, ev, &want, level);
	}
	/* "trace_fields" of events without fields: no column, but no error */
	return any || (to_sort && wants_all_fields(&want));
}

/* -- words -- */

static int add_word(struct layout *l, bool to_sort, const struct layout_options *opts,
		    const char *word, size_t n, uint8_t level, struct err *err)
{
	const char *option = to_sort ? "--sort" : "--fields";
	bool wrong_mode;
	const struct key *key;
	int added;

	if (layout_add_parts(l, to_sort, opts, word, n))
		return 0;
	key = key_find(word, n, opts->mode, &wrong_mode);
	if (key) {
		if (!(key->flags & KEY_POWERPC) || opts->arch_is_powerpc)
			add_key(l, to_sort, (struct key_use){.key = key, .header = key->header},
				level);
		return 0;
	}
	for (int sum = 0; sum < SUMS && !wrong_mode; sum++)
		if (!strncasecmp(sums[sum].name, word, n)) {
			if (sum != SUM_CHILDREN || !opts->children_dropped)
				layout_add_sum(l, to_sort, (enum sum)sum, level);
			return 0;
		}
	if (wrong_mode)
		return err_set(err, ERR_USAGE, "Invalid %s key: `%.*s'", option, (int)n, word);
	added = add_tp_fields(l, to_sort, opts, word, n, level, err);
	if (added)
		return added < 0 ? -1 : 0;
	err_set(err, ERR_USAGE, "Unknown %s key: `%.*s'", option, (int)n, word);
	return -1;
}

/* Words between commas and blanks; those in braces are of one level. */
static int add_words(struct layout *l, bool to_sort, const struct layout_options *opts,
		     const char *text, struct err *err)
{
	uint8_t level = 0;
	bool in_group = false;

	while (*text) {
		size_t n = strcspn(text, ", {}");

		if (n) {
			if (add_word(l, to_sort, opts, text, n, level, err))
				return -1;
			if (!in_group && level < UINT8_MAX)
				level++;
			text += n;
			continue;
		}
		if (*text == '{') {
			in_group = true;
		} else if (*text == '}' && in_group) {
			in_group = false;
			if (level < UINT8_MAX)
				level++;
		}
		text++;
	}
	return 0;
}

/* The words to sort by: the overheads, then the defaults with what -s adds to them. */
static const char *sort_words(struct layout *l, const struct layout_options *opts)
{
	const char *words = opts->sort ? opts->sort : opts->default_sort;

	if (opts->sort && opts->sort[0] == '+')
		words = arena_printf(&l->arena, "%s,%s", opts->default_sort, opts->sort + 1);
	if (opts->sort && strstr(opts->sort, "symbol"))
		words = arena_printf(&l->arena, "%s,%s", words,
				     opts->mode == MODE_BRANCH ? "ipc_lbr" : "ipc_null");
	if (opts->fields && opts->fields[0] != '+')
		return words;
	if (opts->latency && !strstr(words, "latency"))
		return arena_printf(&l->arena, "latency,overhead,%s", words);
	if (!strstr(words, "overhead"))
		words = arena_printf(&l->arena, "overhead,%s%s",
				     opts->latency_beside ? "latency," : "", words);
	if (opts->children && !strstr(words, "overhead_children"))
		words = arena_printf(&l->arena, "overhead_children,%s", words);
	return words;
}

static void default_columns(struct layout *l, const struct layout_options *opts)
{
	if (opts->latency)
		layout_add_sum(l, false, SUM_LATENCY, 0);
	if (opts->children)
		layout_add_sum(l, false, SUM_CHILDREN, 0);
	layout_add_sum(l, false, SUM_OVERHEAD, 0);
	if (opts->latency_beside)
		layout_add_sum(l, false, SUM_LATENCY, 0);
	if (opts->show_cpu_utilization) {
		layout_add_sum(l, false, SUM_SYS, 0);
		layout_add_sum(l, false, SUM_US, 0);
		if (opts->guest) {
			layout_add_sum(l, false, SUM_GUEST_SYS, 0);
			layout_add_sum(l, false, SUM_GUEST_US, 0);
		}
	}
	if (opts->show_samples)
		layout_add_sum(l, false, SUM_SAMPLES, 0);
	if (opts->show_period)
		layout_add_sum(l, false, SUM_PERIOD, 0);
}

static void set_widths(struct layout *l, const char *widths)
{
	for (size_t i = 0; i < l->columns.n && *widths; i++) {
		char *end;
		unsigned long width = strtoul(widths, &end, 10);

		l->columns.at[i].user_width = (unsigned int)MIN(width, 4096ul);
		if (*end != ',')
			break;
		widths = end + 1;
	}
}

static bool is_elided(const struct layout *l, const struct field *f, const char *const *names)
{
	if (f->key < 0)
		return false;
	for (; *names; names++)
		if (!strcmp(l->keys.at[f->key].key->name, *names))
			return true;
	return false;
}

/* Hides the keys that a filter limits to one value, unless there is no other key. With levels (-H),
 * none is hidden. */
static void elide(struct layout *l, const struct layout_options *opts)
{
	const char *const *names = opts->elided;
	bool rest = false;

	for (size_t i = 0; i < l->sort.n; i++) {
		struct field *f = &l->sort.at[i];

		f->elided = is_elided(l, f, names);
		rest |= f->key >= 0 && !f->elided;
	}
	if (opts->hierarchy)
		return;
	for (size_t i = 0; i < l->sort.n; i++)
		l->sort.at[i].hidden = rest && l->sort.at[i].elided;
	for (size_t i = 0; i < l->columns.n; i++)
		l->columns.at[i].hidden = rest && is_elided(l, &l->columns.at[i], names);
}

static void name_self(struct field *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (at[i].key < 0 && at[i].sum == SUM_OVERHEAD)
			at[i].header = "Self";
}

/* Adds a column to the sort order. Shares of a row's period are sorted by that period. */
static void layout_sort_by_column(struct layout *l, const struct field *f)
{
	struct field sort = *f;

	if (f->key < 0 && sum_is_part(f->sum) && !sum_is_average(f->sum))
		sort.sum = SUM_OVERHEAD;
	add_field(l, true, sort);
}

int layout_init(struct layout *l, const struct layout_options *opts, struct err *err)
{
	bool strict = opts->fields && opts->fields[0] != '+';
	bool wrong_mode;

	memset(l, 0, sizeof(*l));
	if (opts->sort && strstr(opts->sort, "ipc"))
		return err_set(err, ERR_USAGE, "Unknown --sort key: `ipc' comes with `symbol'");
	if (!strict || opts->sort)
		if (add_words(l, true, opts, sort_words(l, opts), err))
			goto fail;
	if (!strict)
		default_columns(l, opts);
	if (opts->fields && add_words(l, false, opts, opts->fields + !strict, err))
		goto fail;
	for (size_t i = 0; i < l->sort.n; i++)
		add_field(l, false, l->sort.at[i]);
	for (size_t i = 0; i < l->columns.n; i++)
		layout_sort_by_column(l, &l->columns.at[i]);
	if (opts->parent) {
		const struct key *key = key_find("parent", 6, opts->mode, &wrong_mode);
		struct key_use use = {.key = key, .header = key->header};

		add_key(l, true, use, l->sort.n ? vec_last(&l->sort)->level : 0);
		add_key(l, false, use, 0);
	}
	if (opts->children && !strict)
		name_self(l->columns.at, l->columns.n);
	if (opts->elided)
		elide(l, opts);
	for (size_t i = 0; i < l->sort.n; i++)
		l->sort.at[i].hidden |= l->sort.at[i].key < 0 &&
					l->sort.at[i].sum == SUM_CHILDREN && !opts->children;
	if (opts->widths && !opts->hierarchy)
		set_widths(l, opts->widths);
	for (size_t i = 0; i < l->sort.n; i++)
		l->levels = MAX(l->levels, (uint8_t)(l->sort.at[i].level + 1));
	return 0;
fail:
	layout_release(l);
	return -1;
}

void layout_release(struct layout *l)
{
	vec_release(&l->keys);
	vec_release(&l->columns);
	vec_release(&l->sort);
	arena_release(&l->arena);
	memset(l, 0, sizeof(*l));
}

void layout_words(struct buf *out)
{
	const struct key *const tables[] = {keys_common, keys_branch, keys_memory, keys_wall,
					    keys_data};

	for (int sum = 0; sum < SUMS; sum++)
		buf_word(out, sums[sum].name);
	for (int i = 0; i < PARTS; i++)
		if (!i || strcmp(part_columns[i].field, part_columns[i - 1].field))
			buf_word(out, part_columns[i].field);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct key *k = tables[i]; k->name; k++)
			if (strncmp(k->name, "ipc_", 4))
				buf_word(out, k->name);
	buf_word(out, "trace_fields");
}

void layout_names(struct buf *out)
{
	for (int sum = 0; sum < SUMS; sum++) {
		buf_str(out, sums[sum].name);
		buf_char(out, ' ');
	}
	for (const struct key *k = keys_common; k->name; k++)
		buf_printf(out, "%s ", k->name);
	for (const struct key *k = keys_branch; k->name; k++)
		buf_printf(out, "%s ", k->name);
	for (const struct key *k = keys_memory; k->name; k++)
		buf_printf(out, "%s%s", k->name, k[1].name ? " " : "");
}
