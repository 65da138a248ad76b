// SPDX-License-Identifier: MIT
#include "data/record/data_src.h"
#include "view/script/script.h"

#define CONFIG_PAGE_FAULTS     2
#define CONFIG_PAGE_FAULTS_MIN 5
#define CONFIG_PAGE_FAULTS_MAJ 6
#define CONFIG_BPF_OUTPUT      10
#define CONFIG_BRANCHES	       4

#define DATA_SRC_WIDTH 99

static uint64_t fields_of(const struct script *s, const struct event *ev)
{
	return s->fields.types[output_type(ev->attr.type)].fields;
}

/* True for a branch trace: each branch is a sample with its source and target. */
static bool is_branch_trace(const struct attr *a)
{
	return a->type == TYPE_HARDWARE && (a->config & CONFIG_BRANCHES) && a->sample_period == 1;
}

/* True when sample.addr is an address of code, or of data that may have a symbol. */
static bool address_has_symbol(const struct attr *a)
{
	if (a->type == TYPE_SOFTWARE &&
	    (a->config == CONFIG_PAGE_FAULTS || a->config == CONFIG_PAGE_FAULTS_MIN ||
	     a->config == CONFIG_PAGE_FAULTS_MAJ))
		return true;
	return is_branch_trace(a);
}

bool script_has_chain(const struct script *s, const struct event *ev)
{
	return s->fields.chains && (ev->attr.sample_type & SAMPLE_CALLCHAIN);
}

static void address_text(struct script *s, const struct record *r, uint32_t epoch, uint64_t fields,
			 struct buf *out)
{
	const struct script_frame *frame;
	struct place p;

	buf_hex_right(out, r->sample.addr, 16);
	if (!address_has_symbol(&r->event->attr))
		return;
	p = world_place_data(s->world, epoch, r->header.misc & MISC_CPUMODE_MASK, r->sample.addr);
	frame = script_frame(&s->frames, epoch, p.cpumode, r->sample.addr, SCRIPT_FRAME_SYMBOL);
	if (fields & FIELD_SYM) {
		buf_char(out, ' ');
		script_symbol_text(frame, fields & FIELD_SYMOFF, out);
	}
	if (fields & FIELD_DSO) {
		buf_str(out, " (");
		script_dso_text(&s->frames, &frame->place, out);
		buf_char(out, ')');
	}
}

static void data_src_field(struct script *s, uint64_t data_src, struct buf *out)
{
	size_t before = out->n;

	buf_hex_right(out, data_src, 16);
	buf_char(out, ' ');
	data_src_text(data_src, out);
	/* the column is as wide as the widest so far, but no wider than this */
	out->n = MIN(out->n, before + DATA_SRC_WIDTH);
	s->data_src_width = MAX(s->data_src_width, out->n - before);
	buf_fill(out, ' ', s->data_src_width - (out->n - before));
}

static void location(struct script *s, const struct record *r, uint32_t epoch, uint64_t fields,
		     const struct script_frame *at, struct buf *out)
{
	if (script_has_chain(s, r->event)) {
		buf_char(out, '\n');
		script_chain(&s->frames, epoch, r->event, &r->sample, fields & FRAME_FIELDS, out);
	} else {
		buf_char(out, ' ');
		buf_add(out, at->text, at->len);
	}
}

static void branch_trace(struct script *s, const struct record *r, uint32_t epoch, uint64_t fields,
			 const struct script_frame *at, struct buf *out)
{
	const struct script_type *t = &s->fields.types[output_type(r->event->attr.type)];

	if (fields & FIELD_IP)
		location(s, r, epoch, fields, at, out);
	if ((fields & FIELD_ADDR) || (!t->user_set && (r->sample.type & SAMPLE_ADDR))) {
		buf_str(out, " => ");
		address_text(s, r, epoch, fields, out);
	}
	buf_char(out, '\n');
}

static void trace_text(struct script *s, const struct record *r, struct buf *out)
{
	tp_text_show(s->tp_text, (uint32_t)r->event->attr.config, r->sample.raw, r->sample.raw_size,
		     r->sample.cpu, out);
}

/* Appends the fields that follow the place. */
static void details(struct script *s, const struct record *r, uint32_t epoch, uint64_t fields,
		    const struct place *at, struct buf *out)
{
	const struct sample *sample = &r->sample;
	const struct attr *a = &r->event->attr;

	if (fields & FIELD_IREGS)
		script_registers(s, &sample->intr_regs, out);
	if (fields & FIELD_UREGS)
		script_registers(s, &sample->user_regs, out);
	if (fields & (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF))
		script_branches(s, r, epoch, fields, out);
	if ((fields & FIELD_BPF_OUTPUT) && a->type == TYPE_SOFTWARE &&
	    a->config == CONFIG_BPF_OUTPUT)
		script_bpf_output(sample, out);
	if (fields & (FIELD_INSN | FIELD_INSNLEN))
		script_insn(s, at, fields, out);
	if (fields & (FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN))
		script_blocks(s, r, epoch, fields & FIELD_BRSTACKINSNLEN, out);
	if (fields & FIELD_PHYS_ADDR)
		buf_hex_right(out, sample->phys_addr, 16);
	if (fields & FIELD_DATA_PAGE_SIZE)
		script_page_size(sample->data_page_size, out);
	if (fields & FIELD_CODE_PAGE_SIZE)
		script_page_size(sample->code_page_size, out);
	if (fields & FIELD_CGROUP) {
		const char *path = world_cgroup(s->world, sample->cgroup);

		buf_char(out, ' ');
		buf_safe(out, path ? path : "unknown");
	}
	if (fields & FIELD_RETIRE_LAT)
		buf_dec_right(out, sample->weight3, 16);
}

void script_sample(struct script *s, const struct record *r, const struct script_moment *m,
		   const struct script_frame *at, struct buf *out)
{
	const struct sample *sample = &r->sample;
	const struct attr *a = &r->event->attr;
	uint64_t fields = fields_of(s, r->event);
	bool weights = sample->type & SAMPLE_WEIGHT_STRUCT;
	const uint32_t epoch = m->epoch;

	script_start(s, r, m->comm, r->event, out);
	if (fields & FIELD_PERIOD) {
		buf_dec_right(out, sample->period, 10);
		buf_char(out, ' ');
	}
	if (fields & FIELD_EVENT)
		script_event_name(s, r->event, out);
	if (s->fields.flags)
		buf_fill(out, ' ', 24);
	if (is_branch_trace(a)) {
		branch_trace(s, r, epoch, fields, at, out);
		return;
	}
	if ((fields & FIELD_TRACE) && sample->raw)
		trace_text(s, r, out);
	if (fields & FIELD_ADDR)
		address_text(s, r, epoch, fields, out);
	if (fields & FIELD_DATA_SRC)
		data_src_field(s, sample->data_src, out);
	if (fields & FIELD_WEIGHT)
		buf_dec_right(out, weights ? sample->weight1 : sample->weight, 16);
	if (fields & FIELD_INS_LAT)
		buf_dec_right(out, weights ? sample->weight2 : 0, 16);
	if (fields & FIELD_IP)
		location(s, r, epoch, fields, at, out);
	details(s, r, epoch, fields, &at->place, out);
	buf_char(out, '\n');
}
