// SPDX-License-Identifier: MIT
/* Formats attributes: the name of one that came without a name, and the list of its fields. */
#include "event/event.h"
#include "event/names.h"

#include <stddef.h>

struct bit_name {
	uint64_t bit;
	const char *name;
};

/* In the order of perf 6.1's output, which is not that of the bits. It does not know TRANSACTION.
 */
static const struct bit_name sample_bits[] = {
	{SAMPLE_IP, "IP"},
	{SAMPLE_TID, "TID"},
	{SAMPLE_TIME, "TIME"},
	{SAMPLE_ADDR, "ADDR"},
	{SAMPLE_READ, "READ"},
	{SAMPLE_CALLCHAIN, "CALLCHAIN"},
	{SAMPLE_ID, "ID"},
	{SAMPLE_CPU, "CPU"},
	{SAMPLE_PERIOD, "PERIOD"},
	{SAMPLE_STREAM_ID, "STREAM_ID"},
	{SAMPLE_RAW, "RAW"},
	{SAMPLE_BRANCH_STACK, "BRANCH_STACK"},
	{SAMPLE_REGS_USER, "REGS_USER"},
	{SAMPLE_STACK_USER, "STACK_USER"},
	{SAMPLE_IDENTIFIER, "IDENTIFIER"},
	{SAMPLE_REGS_INTR, "REGS_INTR"},
	{SAMPLE_DATA_SRC, "DATA_SRC"},
	{SAMPLE_WEIGHT, "WEIGHT"},
	{SAMPLE_PHYS_ADDR, "PHYS_ADDR"},
	{SAMPLE_AUX, "AUX"},
	{SAMPLE_CGROUP, "CGROUP"},
	{SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE"},
	{SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE"},
	{SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT"},
	{0, NULL},
};

static const struct bit_name read_bits[] = {
	{READ_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED"},
	{READ_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING"},
	{READ_ID, "ID"},
	{READ_GROUP, "GROUP"},
	{READ_LOST, "LOST"},
	{0, NULL},
};

static const struct bit_name branch_bits[] = {
	{1 << 0, "USER"},	{1 << 1, "KERNEL"},
	{1 << 2, "HV"},		{1 << 3, "ANY"},
	{1 << 4, "ANY_CALL"},	{1 << 5, "ANY_RETURN"},
	{1 << 6, "IND_CALL"},	{1 << 7, "ABORT_TX"},
	{1 << 8, "IN_TX"},	{1 << 9, "NO_TX"},
	{1 << 10, "COND"},	{1 << 11, "CALL_STACK"},
	{1 << 12, "IND_JUMP"},	{1 << 13, "CALL"},
	{1 << 14, "NO_FLAGS"},	{1 << 15, "NO_CYCLES"},
	{1 << 16, "TYPE_SAVE"}, {1 << 17, "HW_INDEX"},
	{1 << 18, "PRIV_SAVE"}, {0, NULL},
};

enum field_kind { DECIMAL, SIGNED, HEX, BITS, FLAG };

struct attr_field {
	const char *name;
	enum field_kind kind;
	uint8_t offset, size;
	uint64_t flag; /* FLAG: which bits of flags */
	const struct bit_name *bits;
};

#define FIELD(member) offsetof(struct attr, member), sizeof(((struct attr *)0)->member)

static const struct attr_field fields[] = {
	{"type", DECIMAL, FIELD(type)},
	{"size", DECIMAL, FIELD(size)},
	{"config", HEX, FIELD(config)},
	{"{ sample_period, sample_freq }", DECIMAL, FIELD(sample_period)},
	{"sample_type", BITS, FIELD(sample_type), 0, sample_bits},
	{"read_format", BITS, FIELD(read_format), 0, read_bits},
	{"disabled", FLAG, .flag = ATTR_DISABLED},
	{"inherit", FLAG, .flag = ATTR_INHERIT},
	{"pinned", FLAG, .flag = ATTR_PINNED},
	{"exclusive", FLAG, .flag = ATTR_EXCLUSIVE},
	{"exclude_user", FLAG, .flag = ATTR_EXCLUDE_USER},
	{"exclude_kernel", FLAG, .flag = ATTR_EXCLUDE_KERNEL},
	{"exclude_hv", FLAG, .flag = ATTR_EXCLUDE_HV},
	{"exclude_idle", FLAG, .flag = ATTR_EXCLUDE_IDLE},
	{"mmap", FLAG, .flag = ATTR_MMAP},
	{"comm", FLAG, .flag = ATTR_COMM},
	{"freq", FLAG, .flag = ATTR_FREQ},
	{"inherit_stat", FLAG, .flag = ATTR_INHERIT_STAT},
	{"enable_on_exec", FLAG, .flag = ATTR_ENABLE_ON_EXEC},
	{"task", FLAG, .flag = ATTR_TASK},
	{"watermark", FLAG, .flag = ATTR_WATERMARK},
	{"precise_ip", FLAG, .flag = ATTR_PRECISE_MASK},
	{"mmap_data", FLAG, .flag = ATTR_MMAP_DATA},
	{"sample_id_all", FLAG, .flag = ATTR_SAMPLE_ID_ALL},
	{"exclude_host", FLAG, .flag = ATTR_EXCLUDE_HOST},
	{"exclude_guest", FLAG, .flag = ATTR_EXCLUDE_GUEST},
	{"exclude_callchain_kernel", FLAG, .flag = ATTR_EXCLUDE_CALLCHAIN_KERNEL},
	{"exclude_callchain_user", FLAG, .flag = ATTR_EXCLUDE_CALLCHAIN_USER},
	{"mmap2", FLAG, .flag = ATTR_MMAP2},
	{"comm_exec", FLAG, .flag = ATTR_COMM_EXEC},
	{"use_clockid", FLAG, .flag = ATTR_USE_CLOCKID},
	{"context_switch", FLAG, .flag = ATTR_CONTEXT_SWITCH},
	{"write_backward", FLAG, .flag = ATTR_WRITE_BACKWARD},
	{"namespaces", FLAG, .flag = ATTR_NAMESPACES},
	{"ksymbol", FLAG, .flag = ATTR_KSYMBOL},
	{"bpf_event", FLAG, .flag = ATTR_BPF_EVENT},
	{"aux_output", FLAG, .flag = ATTR_AUX_OUTPUT},
	{"cgroup", FLAG, .flag = ATTR_CGROUP},
	{"text_poke", FLAG, .flag = ATTR_TEXT_POKE},
	{"build_id", FLAG, .flag = ATTR_BUILD_ID},
	{"inherit_thread", FLAG, .flag = ATTR_INHERIT_THREAD},
	{"remove_on_exec", FLAG, .flag = ATTR_REMOVE_ON_EXEC},
	{"sigtrap", FLAG, .flag = ATTR_SIGTRAP},
	{"defer_callchain", FLAG, .flag = ATTR_DEFER_CALLCHAIN},
	{"defer_output", FLAG, .flag = ATTR_DEFER_OUTPUT},
	{"{ wakeup_events, wakeup_watermark }", DECIMAL, FIELD(wakeup_events)},
	{"bp_type", DECIMAL, FIELD(bp_type)},
	{"{ bp_addr, config1 }", HEX, FIELD(config1)},
	{"{ bp_len, config2 }", HEX, FIELD(config2)},
	{"branch_sample_type", BITS, FIELD(branch_sample_type), 0, branch_bits},
	{"sample_regs_user", HEX, FIELD(sample_regs_user)},
	{"sample_stack_user", DECIMAL, FIELD(sample_stack_user)},
	{"clockid", SIGNED, FIELD(clockid)},
	{"sample_regs_intr", HEX, FIELD(sample_regs_intr)},
	{"aux_watermark", DECIMAL, FIELD(aux_watermark)},
	{"sample_max_stack", DECIMAL, FIELD(sample_max_stack)},
	{"aux_sample_size", DECIMAL, FIELD(aux_sample_size)},
	{"sig_data", DECIMAL, FIELD(sig_data)},
};

static uint64_t field_value(const struct attr *a, const struct attr_field *f)
{
	const uint8_t *p = (const uint8_t *)a + f->offset;
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	if (f->kind == FLAG)
		return (a->flags & f->flag) >> __builtin_ctzll(f->flag);
	switch (f->size) {
	case 8:
		memcpy(&v64, p, 8);
		return v64;
	case 4:
		memcpy(&v32, p, 4);
		return f->kind == SIGNED ? (uint64_t)(int64_t)(int32_t)v32 : v32;
	default:
		memcpy(&v16, p, 2);
		return v16;
	}
}

/* False when none of the bits has a name. */
static bool bits_show(uint64_t v, const struct bit_name *bits, struct buf *out)
{
	size_t start = out->n;

	for (; bits->name; bits++) {
		if (!(v & bits->bit))
			continue;
		if (out->n != start)
			buf_char(out, '|');
		buf_str(out, bits->name);
	}
	return out->n != start;
}

void attr_show(const struct attr *a, struct buf *out)
{
	attr_show_as(a, ": ", true, out);
}

/* The texts between and around the names and values of fields. */
struct setting {
	const char *between, *before, *is, *after;
	size_t name_width;
};

static void show_fields(const struct attr *a, const struct setting *s, bool first, struct buf *out)
{
	size_t last = out->n, last_n = 0;

	for (const struct attr_field *f = fields; f < fields + ARRAY_SIZE(fields); f++) {
		uint64_t v = field_value(a, f);
		size_t start;

		if (!v)
			continue;
		if (!first)
			buf_str(out, s->between);
		first = false;
		buf_str(out, s->before);
		buf_left(out, f->name, s->name_width);
		buf_str(out, s->is);
		start = out->n;
		if (f->kind == HEX) {
			buf_str(out, "0x");
			buf_hex(out, v);
		} else if (f->kind == SIGNED) {
			buf_sdec(out, (int64_t)v);
		} else if (f->kind != BITS) {
			buf_dec(out, v);
		} else if (!bits_show(v, f->bits, out)) {
			/* perf 6.1 repeats the previous field's value when it has no name for any
			 * bit of this one */
			buf_reserve(out, last_n);
			buf_add(out, out->at + last, last_n);
		}
		last = start;
		last_n = out->n - start;
		buf_str(out, s->after);
	}
}

void attr_show_as(const struct attr *a, const char *is, bool first, struct buf *out)
{
	show_fields(a, &(struct setting){", ", "", is, "", 0}, first, out);
}

void attr_show_lines(const struct attr *a, struct buf *out)
{
	show_fields(a, &(struct setting){"", "  ", " ", "\n", 32}, true, out);
}

/* The kernel's default is to leave the guest out when some other part was left out by name. */
static void modifiers_show(const struct attr *a, struct buf *out)
{
	bool some_left_out = a->flags & (ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_USER | ATTR_EXCLUDE_HV);
	unsigned int precise = attr_precise(a);
	bool exclude_guest = a->flags & ATTR_EXCLUDE_GUEST;
	bool guest_is_default = some_left_out || precise;
	size_t start;

	buf_char(out, ':');
	start = out->n;
	if (some_left_out) {
		if (!(a->flags & ATTR_EXCLUDE_KERNEL))
			buf_char(out, 'k');
		if (!(a->flags & ATTR_EXCLUDE_USER))
			buf_char(out, 'u');
		if (!(a->flags & ATTR_EXCLUDE_HV))
			buf_char(out, 'h');
	}
	buf_fill(out, 'p', precise);
	if (a->flags & ATTR_EXCLUDE_HOST || exclude_guest == guest_is_default) {
		if (!(a->flags & ATTR_EXCLUDE_HOST))
			buf_char(out, 'H');
		if (!exclude_guest)
			buf_char(out, 'G');
	}
	if (out->n == start)
		out->n--;
}

static void breakpoint_name(const struct attr *a, struct buf *out)
{
	buf_str(out, "mem:0x");
	buf_hex(out, a->config1);
	buf_char(out, ':');
	if (a->bp_type & 1)
		buf_char(out, 'r');
	if (a->bp_type & 2)
		buf_char(out, 'w');
	if (a->bp_type & 4)
		buf_char(out, 'x');
}

static void hardware_name(const struct attr *a, struct buf *out)
{
	const char *name = hardware_event_name(a->config & UINT32_MAX);

	/* The upper half names the PMU of a hybrid machine by its type number. */
	if (a->config >> 32)
		buf_printf(out, "cpu/%s/", name ? name : "unknown-hardware");
	else
		buf_str(out, name ? name : "unknown-hardware");
}

void attr_name(const struct attr *a, struct buf *out)
{
	const char *name;

	switch (a->type) {
	case TYPE_HARDWARE:
		hardware_name(a, out);
		break;
	case TYPE_SOFTWARE:
		name = software_event_name(a->config);
		buf_str(out, name ? name : "unknown-software");
		break;
	case TYPE_HW_CACHE:
		cache_event_name(a->config, out);
		break;
	case TYPE_RAW:
		buf_str(out, "raw 0x");
		buf_hex(out, a->config);
		break;
	case TYPE_BREAKPOINT:
		breakpoint_name(a, out);
		break;
	case TYPE_TRACEPOINT:
		buf_str(out, "unknown tracepoint");
		return;
	default:
		buf_printf(out, "unknown attr type: %d", (int)a->type);
		return;
	}
	modifiers_show(a, out);
}
