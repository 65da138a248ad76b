// SPDX-License-Identifier: MIT
#include "view/script/script_fields.h"

#include <string.h>

#define TYPE_SYNTH 0x80000000u /* type of the samples that perf synthesizes from AUX data */

#define LOCATION (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO)
#define WHO	 (FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT)
#define USUAL	 (WHO | LOCATION | FIELD_PERIOD)
#define NOT_RAW	 (FIELD_TRACE | FIELD_BPF_OUTPUT)

static const struct script_type defaults[OUTPUT_TYPES] = {
	[TYPE_HARDWARE] = {.fields = USUAL, .invalid = NOT_RAW},
	[TYPE_SOFTWARE] = {.fields = USUAL | FIELD_BPF_OUTPUT, .invalid = FIELD_TRACE},
	[TYPE_TRACEPOINT] = {.fields = WHO | FIELD_TRACE},
	[TYPE_HW_CACHE] = {.fields = USUAL, .invalid = NOT_RAW},
	[TYPE_RAW] = {.fields = USUAL | FIELD_ADDR | FIELD_DATA_SRC | FIELD_WEIGHT |
				FIELD_PHYS_ADDR | FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE |
				FIELD_INS_LAT,
		      .invalid = NOT_RAW},
	[TYPE_BREAKPOINT] = {.fields = USUAL, .invalid = NOT_RAW},
	[OUTPUT_SYNTH] = {.fields = WHO | LOCATION | FIELD_SYNTH, .invalid = NOT_RAW},
	[OUTPUT_OTHER] = {.fields = USUAL, .invalid = NOT_RAW},
};

static const struct field_name {
	const char *name;
	uint64_t field;
} names[] = {
	{"comm", FIELD_COMM}, {"tid", FIELD_TID}, {"pid", FIELD_PID}, {"time", FIELD_TIME},
	{"cpu", FIELD_CPU}, {"event", FIELD_EVENT}, {"trace", FIELD_TRACE}, {"ip", FIELD_IP},
	{"sym", FIELD_SYM}, {"dso", FIELD_DSO}, {"dsoff", FIELD_DSOFF}, {"addr", FIELD_ADDR},
	{"symoff", FIELD_SYMOFF}, {"srcline", FIELD_SRCLINE}, {"period", FIELD_PERIOD},
	{"iregs", FIELD_IREGS}, {"uregs", FIELD_UREGS}, {"brstack", FIELD_BRSTACK},
	{"brstacksym", FIELD_BRSTACKSYM}, {"data_src", FIELD_DATA_SRC}, {"weight", FIELD_WEIGHT},
	{"bpf-output", FIELD_BPF_OUTPUT}, {"callindent", FIELD_CALLINDENT}, {"insn", FIELD_INSN},
	{"insnlen", FIELD_INSNLEN}, {"brstackinsn", FIELD_BRSTACKINSN},
	{"brstackoff", FIELD_BRSTACKOFF}, {"synth", FIELD_SYNTH}, {"phys_addr", FIELD_PHYS_ADDR},
	{"metric", FIELD_METRIC}, {"misc", FIELD_MISC}, {"srccode", FIELD_SRCCODE},
	{"ipc", FIELD_IPC}, {"tod", FIELD_TOD}, {"data_page_size", FIELD_DATA_PAGE_SIZE},
	{"code_page_size", FIELD_CODE_PAGE_SIZE}, {"ins_lat", FIELD_INS_LAT},
	{"brstackinsnlen", FIELD_BRSTACKINSNLEN}, {"machine_pid", FIELD_MACHINE_PID},
	{"vcpu", FIELD_VCPU}, {"cgroup", FIELD_CGROUP}, {"retire_lat", FIELD_RETIRE_LAT},
};

/* The parts of a sample that fields need, in the order in which perf checks them. */
static const struct field_need {
	uint64_t fields, samples;
	const char *samples_name;
	bool aux; /* may come from AUX data instead */
} needs[] = {
	{FIELD_IP, SAMPLE_IP, "IP", false},
	{FIELD_ADDR, SAMPLE_ADDR, "ADDR", true},
	{FIELD_DATA_SRC, SAMPLE_DATA_SRC, "DATA_SRC", true},
	{FIELD_WEIGHT, SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT, "WEIGHT", true},
	{0},
	{FIELD_TID | FIELD_PID, SAMPLE_TID, "TID", false},
	{FIELD_TIME, SAMPLE_TIME, "TIME", false},
	{FIELD_CPU, SAMPLE_CPU, "CPU", true},
	{FIELD_IREGS, SAMPLE_REGS_INTR, "IREGS", true},
	{FIELD_UREGS, SAMPLE_REGS_USER, "UREGS", false},
	{FIELD_PHYS_ADDR, SAMPLE_PHYS_ADDR, "PHYS_ADDR", true},
	{FIELD_DATA_PAGE_SIZE, SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE", false},
	{FIELD_CODE_PAGE_SIZE, SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE", false},
	{FIELD_INS_LAT, SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", false},
	{FIELD_RETIRE_LAT, SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", false},
	{FIELD_CGROUP, SAMPLE_CGROUP, "CGROUP", false},
};

enum output_type output_type(uint32_t attr_type)
{
	if (attr_type == TYPE_SYNTH)
		return OUTPUT_SYNTH;
	return attr_type < TYPE_MAX ? (enum output_type)attr_type : OUTPUT_OTHER;
}

static const char *type_name(unsigned int type)
{
	static const char *const type_names[] = {"hardware", "software", "tracepoint",
						 "hardware-cache"};

	return type < ARRAY_SIZE(type_names) ? type_names[type] : "unknown";
}

void script_fields_init(struct script_fields *f, bool chains)
{
	*f = (struct script_fields){.chains = chains};
	memcpy(f->types, defaults, sizeof(f->types));
}

void script_fields_release(struct script_fields *f)
{
	buf_release(&f->warnings);
}

static const struct {
	const char *name;
	int type;
} prefixes[] = {{"hw", TYPE_HARDWARE}, {"sw", TYPE_SOFTWARE}, {"trace", TYPE_TRACEPOINT},
		{"raw", TYPE_RAW}, {"break", TYPE_BREAKPOINT}, {"synth", OUTPUT_SYNTH}};

void script_field_names(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		buf_word(out, names[i].name);
	buf_word(out, "flags");
}

void script_type_names(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		buf_word(out, prefixes[i].name);
		buf_char(out, ':');
	}
}

static int type_prefix(const char *word, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strlen(prefixes[i].name) == n && !memcmp(prefixes[i].name, word, n))
			return prefixes[i].type;
	return -1;
}

static void set_field(struct script_type *t, uint64_t field, bool add)
{
	if (add) {
		t->fields |= field;
		t->user_set_fields |= field;
		t->user_unset_fields &= ~field;
	} else {
		t->fields &= ~field;
		t->user_set_fields &= ~field;
		t->user_unset_fields |= field;
	}
	t->user_set = t->wildcard_set = true;
}

static uint64_t find_field(const char *word, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == n && !memcmp(names[i].name, word, n))
			return names[i].field;
	return 0;
}

/* type < 0: all types for which the field makes sense. */
static int change_field(struct script_fields *f, int type, const char *word, size_t n, bool add,
			struct err *err)
{
	uint64_t field = find_field(word, n);

	if (!field && n == 5 && !memcmp(word, "flags", 5)) {
		f->flags = add;
		return 0;
	}
	if (!field)
		return err_set(err, ERR_USAGE, "Invalid field requested.");
	if (type >= 0) {
		if (f->types[type].invalid & field)
			return err_set(err, ERR_USAGE, "'%.*s' not valid for %s events.", (int)n,
				       word, type_name((unsigned int)type));
		set_field(&f->types[type], field, add);
		return 0;
	}
	for (unsigned int j = 0; j < OUTPUT_TYPES; j++) {
		if (f->types[j].invalid & field)
			buf_printf(&f->warnings, "'%.*s' not valid for %s events. Ignoring.\n",
				   (int)n, word, type_name(j));
		else
			set_field(&f->types[j], field, add);
	}
	return 0;
}

/* Clears the fields: a list without + or - replaces them. */
static void start_over(struct script_fields *f, int type)
{
	bool before = false;

	if (type >= 0) {
		before = f->types[type].user_set;
		f->types[type].fields = 0;
		f->types[type].user_set = true;
		f->types[type].wildcard_set = false;
	} else {
		for (unsigned int j = 0; j < OUTPUT_TYPES; j++) {
			before |= f->types[j].user_set;
			f->types[j].fields = 0;
			f->types[j].user_set = f->types[j].wildcard_set = true;
		}
	}
	if (before)
		buf_printf(&f->warnings, "Overriding previous field request for %s events.\n",
			   type >= 0 ? type_name((unsigned int)type) : "all");
}

int script_fields_parse(struct script_fields *f, const char *text, struct err *err)
{
	enum { DEFAULT, SET, CHANGE } how = DEFAULT;
	const char *colon = strchr(text, ':');
	int type = -1;

	if (colon) {
		type = type_prefix(text, (size_t)(colon - text));
		if (type < 0)
			return err_set(err, ERR_USAGE, "Invalid event type in field string.");
		text = colon + 1;
	} else if (!*text) {
		return err_set(err, ERR_USAGE, "Cannot set fields to 'none' for all event types.");
	}
	if (!strpbrk(text, "+-"))
		start_over(f, type);
	while (*text) {
		size_t n = strcspn(text, ",");
		bool change = *text == '+' || *text == '-', add = *text != '-';

		if (n && how != DEFAULT && (how == CHANGE) != change)
			return err_set(err, ERR_USAGE, "Cannot mix +-field with overridden fields");
		if (n) {
			how = change ? CHANGE : SET;
			if (change_field(f, type, text + change, n - change, add, err))
				return -1;
		}
		text += n;
		text += *text == ',';
	}
	return 0;
}

static const char *field_name(uint64_t field)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].field == field)
			return names[i].name;
	return "";
}

static int check_need(struct script_type *t, const struct event *ev, const struct field_need *need,
		      bool aux, struct err *err)
{
	if (!(t->fields & need->fields) || (ev->attr.sample_type & need->samples))
		return 0;
	if (t->user_set_fields & need->fields) {
		if (need->aux && aux)
			return 0;
		return err_set(err, ERR_INPUT,
			       "Samples for '%s' event do not have %s attribute set. Cannot print "
			       "'%s' field.",
			       ev->name, need->samples_name, field_name(need->fields));
	}
	t->fields &= ~need->fields;
	return 0;
}

static int check_addresses(const struct script_type *t, const struct event *ev, struct err *err)
{
	bool address = ev->attr.sample_type & (SAMPLE_IP | SAMPLE_ADDR);

	if ((t->fields & FIELD_SYM) && !address)
		return err_set(err, ERR_INPUT,
			       "Display of symbols requested but neither sample IP nor sample "
			       "address available. Hence, no addresses to convert to symbols.");
	if ((t->fields & FIELD_SYMOFF) && !(t->fields & FIELD_SYM))
		return err_set(err, ERR_INPUT,
			       "Display of offsets requested but symbol is not selected.");
	if ((t->fields & FIELD_DSO) && !address)
		return err_set(err, ERR_INPUT,
			       "Display of DSO requested but no address to convert.");
	if ((t->fields & (FIELD_SRCLINE | FIELD_SRCCODE)) && !(t->fields & FIELD_IP))
		return err_set(err, ERR_INPUT,
			       "Display of source line number requested but sample IP is not "
			       "selected. Hence, no address to lookup the source line number.");
	return 0;
}

static int check_branches(const struct script_type *t, const struct recording *rec, struct err *err)
{
	const uint64_t any = 1 << 3;
	uint64_t types = 0;

	if (!(t->fields & (FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN)))
		return 0;
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		types |= rec->m.events.events.at[i]->attr.branch_sample_type;
	if ((types & any) || recording_has(rec, FEATURE_AUXTRACE))
		return 0;
	err_set(err, ERR_INPUT,
		"Display of branch stack assembler requested, but non all-branch filter set");
	return err_hint(err, "Hint: run 'perf record -b ...'");
}

static int check_event(struct script_fields *f, const struct recording *rec, const struct event *ev,
		       struct err *err)
{
	struct script_type *t = &f->types[output_type(ev->attr.type)];
	bool aux = recording_has(rec, FEATURE_AUXTRACE);

	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		if (needs[i].fields) {
			if (check_need(t, ev, &needs[i], aux, err))
				return -1;
		} else if (check_addresses(t, ev, err) || check_branches(t, rec, err)) {
			return -1;
		}
	}
	return 0;
}

/* True for dummy events: they only carry side-band records, so their fields are not checked. */
static bool is_dummy(const struct event *ev)
{
	const uint64_t config_dummy = 9;

	return ev->attr.type == TYPE_SOFTWARE && ev->attr.config == config_dummy;
}

static const struct event *first_of_type(const struct recording *rec, enum output_type type)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct event *ev = rec->m.events.events.at[i];

		if (output_type(ev->attr.type) == type && !is_dummy(ev))
			return ev;
	}
	return NULL;
}

static bool has_chains(const struct event *ev)
{
	return ev->attr.sample_type & SAMPLE_CALLCHAIN;
}

static void use_chains(struct script_fields *f, const struct recording *rec)
{
	bool tracepoints = false, any = false;

	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct event *ev = rec->m.events.events.at[i];

		any |= has_chains(ev);
		tracepoints |= has_chains(ev) && ev->attr.type == TYPE_TRACEPOINT;
	}
	if (rec->m.events.events.n && !any)
		f->chains = false;
	/* tracepoints show their address only with a call chain */
	if (f->chains && tracepoints && !f->types[TYPE_TRACEPOINT].user_set)
		f->types[TYPE_TRACEPOINT].fields |= LOCATION;
}

int script_fields_check(struct script_fields *f, const struct recording *rec, struct err *err)
{
	bool tod = false;

	for (unsigned int j = 0; j < OUTPUT_TYPES; j++) {
		const struct event *ev = first_of_type(rec, (enum output_type)j);
		struct script_type *t = &f->types[j];

		if (!ev && t->user_set && !t->wildcard_set && j != OUTPUT_SYNTH)
			return err_set(err, ERR_INPUT,
				       "%s events do not exist. Remove corresponding -F option to "
				       "proceed.",
				       type_name(j));
		/* recorded counts are shown without fields */
		if (ev && t->fields && !recording_has(rec, FEATURE_STAT) &&
		    check_event(f, rec, ev, err))
			return -1;
		tod |= ev && (t->fields & FIELD_TOD);
	}
	use_chains(f, rec);
	if (tod && !recording_has(rec, FEATURE_CLOCK_DATA))
		return err_set(err, ERR_INPUT,
			       "Can't provide 'tod' time, missing clock data. Please record with "
			       "-k/--clockid option.");
	return 0;
}

int script_fields_event(struct script_fields *f, const struct recording *rec,
			const struct event *ev, struct err *err)
{
	struct script_type *t = &f->types[output_type(ev->attr.type)];
	uint64_t all = 0;

	if (ev->attr.type >= TYPE_MAX && ev->attr.type != TYPE_SYNTH)
		return 0;
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct event *other = rec->m.events.events.at[i];

		all |= other->attr.sample_type;
		if (other->index < ev->index && other->attr.type == ev->attr.type)
			return 0;
	}
	if (ev->attr.sample_type && check_event(f, rec, ev, err))
		return -1;
	if (f->chains && (all & (SAMPLE_CALLCHAIN | SAMPLE_BRANCH_STACK)))
		t->fields |= (FIELD_IP | FIELD_SYM) & ~t->user_unset_fields;
	return 0;
}
