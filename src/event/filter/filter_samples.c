// SPDX-License-Identifier: MIT
/*
 * Parses terms over the contents of samples.
 *
 * Sources: perf-record(1), "--filter"; the values of memory events are those of union
 * perf_mem_data_src in <linux/perf_event.h>.
 */
#include "event/filter/filter_text.h"

#include "base/options/options.h"

#include <ctype.h>
#include <string.h>

/* A word that stands for a number; a row without a word ends a list. */
struct word {
	const char *name;
	uint64_t value;
};

static const struct word ops[] = {{"na", 1 << 0},     {"load", 1 << 1}, {"store", 1 << 2},
				  {"pfetch", 1 << 3}, {"exec", 1 << 4}, {0}};
static const struct word levels[] = {{"l1", 1},	  {"l2", 2},	{"l3", 3},	   {"l4", 4},
				     {"cxl", 9},  {"io", 10},	{"any_cache", 11}, {"lfb", 12},
				     {"ram", 13}, {"pmem", 14}, {"na", 15},	   {0}};
/* five bits of mem_snoop, then the two of mem_snoopx */
static const struct word snoops[] = {
	{"na", 1 << 0},	  {"none", 1 << 1}, {"hit", 1 << 2},  {"miss", 1 << 3},
	{"hitm", 1 << 4}, {"fwd", 1 << 5},  {"peer", 1 << 6}, {0}};
static const struct word remotes[] = {{"remote", 1}, {0}};
static const struct word locks[] = {{"na", 1 << 0}, {"locked", 1 << 1}, {0}};
static const struct word tlbs[] = {{"na", 1 << 0},
				   {"hit", 1 << 1},
				   {"miss", 1 << 2},
				   {"l1", 1 << 3},
				   {"l2", 1 << 4},
				   {"walk", 1 << 5},
				   {"fault", 1 << 6},
				   {"l1_hit", 1 << 3 | 1 << 1},
				   {"l1_miss", 1 << 3 | 1 << 2},
				   {"l2_hit", 1 << 4 | 1 << 1},
				   {"l2_miss", 1 << 4 | 1 << 2},
				   {"any_hit", 1 << 1},
				   {"any_miss", 1 << 2},
				   {0}};
static const struct word blocks[] = {{"na", 1 << 0}, {"by_data", 1 << 1}, {"by_addr", 1 << 2}, {0}};
static const struct word hops[] = {{"hops0", 1}, {"hops1", 2}, {"hops2", 3}, {"hops3", 4}, {0}};

static const struct row {
	const char *name;
	enum sample_field field;
	uint8_t shift, width;
	const struct word *words;
} rows[] = {
	{"ip", FIELD_IP, 0, 0, NULL},
	{"id", FIELD_ID, 0, 0, NULL},
	{"tid", FIELD_TID, 0, 0, NULL},
	{"pid", FIELD_PID, 0, 0, NULL},
	{"cpu", FIELD_CPU, 0, 0, NULL},
	{"time", FIELD_TIME, 0, 0, NULL},
	{"addr", FIELD_ADDR, 0, 0, NULL},
	{"period", FIELD_PERIOD, 0, 0, NULL},
	{"txn", FIELD_TXN, 0, 0, NULL},
	{"weight", FIELD_WEIGHT1, 0, 0, NULL},
	{"weight1", FIELD_WEIGHT1, 0, 0, NULL},
	{"weight2", FIELD_WEIGHT2, 0, 0, NULL},
	{"ins_lat", FIELD_WEIGHT2, 0, 0, NULL},
	{"weight3", FIELD_WEIGHT3, 0, 0, NULL},
	{"retire_lat", FIELD_WEIGHT3, 0, 0, NULL},
	{"p_stage_cyc", FIELD_WEIGHT3, 0, 0, NULL},
	{"phys_addr", FIELD_PHYS_ADDR, 0, 0, NULL},
	{"code_pgsz", FIELD_CODE_PAGE, 0, 0, NULL},
	{"data_pgsz", FIELD_DATA_PAGE, 0, 0, NULL},
	{"mem_op", FIELD_DATA_SRC, 0, 5, ops},
	{"mem_lvlnum", FIELD_DATA_SRC, 33, 4, levels},
	{"mem_lvl", FIELD_DATA_SRC, 33, 4, levels},
	{"mem_snoop", FIELD_DATA_SRC, 19, 5, snoops},
	{"mem_remote", FIELD_DATA_SRC, 37, 1, remotes},
	{"mem_lock", FIELD_DATA_SRC, 24, 2, locks},
	{"mem_dtlb", FIELD_DATA_SRC, 26, 7, tlbs},
	{"mem_blk", FIELD_DATA_SRC, 40, 3, blocks},
	{"mem_hops", FIELD_DATA_SRC, 43, 3, hops},
	{"cgroup", FIELD_CGROUP, 0, 0, NULL},
	{"uid", FIELD_UID, 0, 0, NULL},
	{"gid", FIELD_GID, 0, 0, NULL},
};

/* perf_mem_data_src.mem_snoopx */
#define SNOOPX_SHIFT 38
#define SNOOPX_WIDTH 2
#define SNOOP_WIDTH  5

struct reader {
	const char *text, *p;
	struct sample_filter *out;
	struct err *err;
};

static void blanks(struct reader *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
}

static size_t filter_samples_word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static const struct row *take_field(struct reader *r)
{
	const char *names[ARRAY_SIZE(rows)];
	size_t n;

	blanks(r);
	n = filter_samples_word_length(r->p);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		names[i] = rows[i].name;
		if (strlen(rows[i].name) == n && !memcmp(rows[i].name, r->p, n)) {
			r->p += n;
			return &rows[i];
		}
	}
	if (!n)
		filter_fail(r->err, r->text, r->p, "a field of samples should stand here");
	else
		filter_fail(r->err, r->text, r->p, "samples have no field '%.*s'", (int)MIN(n, 64),
			    r->p);
	filter_suggest(r->err, r->p, n, names, ARRAY_SIZE(names));
	return NULL;
}

static int take_op(struct reader *r, enum sample_op *op)
{
	/* the longer ones first */
	static const struct {
		const char *text;
		enum sample_op op;
	} known[] = {{"==", SAMPLE_EQ}, {"!=", SAMPLE_NE}, {">=", SAMPLE_GE}, {"<=", SAMPLE_LE},
		     {">", SAMPLE_GT},	{"<", SAMPLE_LT},  {"&", SAMPLE_AND}};

	blanks(r);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strncmp(r->p, known[i].text, strlen(known[i].text))) {
			*op = known[i].op;
			r->p += strlen(known[i].text);
			return 0;
		}
	return filter_fail(r->err, r->text, r->p, "one of == != > >= < <= & should stand here");
}

static int unknown_word(struct reader *r, const struct row *row, size_t n)
{
	const char *names[16];
	size_t known = 0;

	for (; row->words && row->words[known].name && known < ARRAY_SIZE(names); known++)
		names[known] = row->words[known].name;
	if (!n)
		return filter_fail(r->err, r->text, r->p, "a value should stand here");
	filter_fail(r->err, r->text, r->p, "'%s' takes no '%.*s'", row->name, (int)MIN(n, 64),
		    r->p);
	return filter_suggest(r->err, r->p, n, names, known);
}

static int take_value(struct reader *r, const struct row *row, uint64_t *value)
{
	char copy[32];
	size_t n;

	blanks(r);
	n = filter_samples_word_length(r->p);
	for (const struct word *w = row->words; w && w->name; w++)
		if (strlen(w->name) == n && !memcmp(w->name, r->p, n)) {
			*value = w->value;
			r->p += n;
			return 0;
		}
	if (!n || n >= sizeof(copy))
		return unknown_word(r, row, n);
	memcpy(copy, r->p, n);
	copy[n] = 0;
	if (parse_u64(copy, value))
		return unknown_word(r, row, n);
	r->p += n;
	return 0;
}

/* Moves a term over the bits of mem_snoopx to their place in data_src: it is apart from
 * mem_snoop. */
static void place_snoop(struct sample_term *t)
{
	if (t->shift != 19 || t->value < 1u << SNOOP_WIDTH)
		return;
	t->shift = SNOOPX_SHIFT;
	t->width = SNOOPX_WIDTH;
	t->value >>= SNOOP_WIDTH;
}

static int take_term(struct reader *r, uint32_t any)
{
	const struct row *row = take_field(r);
	struct sample_term t = {.any = any};
	const char *at;

	if (!row || take_op(r, &t.op))
		return -1;
	blanks(r);
	at = r->p;
	if (take_value(r, row, &t.value))
		return -1;
	t.field = row->field;
	t.name = row->name;
	t.shift = row->shift;
	t.width = row->width;
	place_snoop(&t);
	if (t.width && t.value >> t.width)
		return filter_fail(r->err, r->text, at, "'%s' has %u bits", row->name, t.width);
	vec_add(r->out, t);
	return 0;
}

int filter_parse_samples(const char *text, struct sample_filter *out, struct err *err)
{
	struct reader r = {.text = text, .p = text, .out = out, .err = err};
	uint32_t any = out->n ? vec_last(out)->any + 1 : 0;

	for (;;) {
		if (take_term(&r, any))
			return -1;
		blanks(&r);
		if (!*r.p)
			return 0;
		if (*r.p == ',') {
			any++;
			r.p++;
		} else if (!strncmp(r.p, "||", 2)) {
			r.p += 2;
		} else {
			return filter_fail(err, text, r.p, "',' or '||' should stand here");
		}
	}
}

void sample_filter_release(struct sample_filter *f)
{
	vec_release(f);
}

uint64_t sample_field_bits(enum sample_field field)
{
	static const uint64_t bits[] = {
		[FIELD_IP] = SAMPLE_IP,
		[FIELD_ID] = SAMPLE_ID | SAMPLE_IDENTIFIER,
		[FIELD_TID] = SAMPLE_TID,
		[FIELD_PID] = SAMPLE_TID,
		[FIELD_CPU] = SAMPLE_CPU,
		[FIELD_TIME] = SAMPLE_TIME,
		[FIELD_ADDR] = SAMPLE_ADDR,
		[FIELD_PERIOD] = SAMPLE_PERIOD,
		[FIELD_TXN] = SAMPLE_TRANSACTION,
		[FIELD_WEIGHT1] = SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT,
		[FIELD_WEIGHT2] = SAMPLE_WEIGHT_STRUCT,
		[FIELD_WEIGHT3] = SAMPLE_WEIGHT_STRUCT,
		[FIELD_PHYS_ADDR] = SAMPLE_PHYS_ADDR,
		[FIELD_CODE_PAGE] = SAMPLE_CODE_PAGE_SIZE,
		[FIELD_DATA_PAGE] = SAMPLE_DATA_PAGE_SIZE,
		[FIELD_DATA_SRC] = SAMPLE_DATA_SRC,
		[FIELD_CGROUP] = SAMPLE_CGROUP,
		[FIELD_GID] = 0,
	};

	return bits[field];
}

static const char *option_of(enum sample_field field)
{
	switch (field) {
	case FIELD_ID:
		return "--sample-identifier";
	case FIELD_CPU:
		return "--sample-cpu";
	case FIELD_TIME:
		return "-T";
	case FIELD_ADDR:
	case FIELD_DATA_SRC:
		return "-d";
	case FIELD_PERIOD:
		return "-P";
	case FIELD_TXN:
		return "--transaction";
	case FIELD_WEIGHT1:
	case FIELD_WEIGHT2:
	case FIELD_WEIGHT3:
		return "-W";
	case FIELD_PHYS_ADDR:
		return "--phys-data";
	case FIELD_CODE_PAGE:
		return "--code-page-size";
	case FIELD_DATA_PAGE:
		return "--data-page-size";
	case FIELD_CGROUP:
		return "--all-cgroups";
	default:
		return NULL;
	}
}

int filter_check_samples(const struct sample_filter *f, const struct event *ev, struct err *err)
{
	for (size_t i = 0; i < f->n; i++) {
		uint64_t bits = sample_field_bits(f->at[i].field);
		const char *option = option_of(f->at[i].field);

		if (!bits || ev->attr.sample_type & bits)
			continue;
		err_set(err, ERR_USAGE,
			"the samples of '%s' have no '%s', which the filter asks for", ev->name,
			f->at[i].name);
		return option ? err_hint(err, "%s adds it", option) : -1;
	}
	return 0;
}
