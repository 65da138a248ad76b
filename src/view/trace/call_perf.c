// SPDX-License-Identifier: MIT
/* struct perf_event_attr of <linux/perf_event.h>, as strace writes it; members behind the flags are
 * shown when they are not zero. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

#include <string.h>

#define ATTR_LEAST 64 /* PERF_ATTR_SIZE_VER0 */
#define ATTR_MOST  144

enum {
	AT_TYPE = 0,
	AT_SIZE = 4,
	AT_CONFIG = 8,
	AT_PERIOD = 16,
	AT_SAMPLE = 24,
	AT_READ = 32,
	AT_FLAGS = 40
};
enum { FLAG_FREQUENCY = 10, FLAG_WATERMARK = 14, FLAG_PRECISE = 15 };

/* Bits of the flags, from the lowest on; precise_ip has two. */
static const char *const flag_names[] = {
	"disabled",
	"inherit",
	"pinned",
	"exclusive",
	"exclude_user",
	"exclude_kernel",
	"exclude_hv",
	"exclude_idle",
	"mmap",
	"comm",
	"freq",
	"inherit_stat",
	"enable_on_exec",
	"task",
	"watermark",
	"precise_ip",
	NULL,
	"mmap_data",
	"sample_id_all",
	"exclude_host",
	"exclude_guest",
	"exclude_callchain_kernel",
	"exclude_callchain_user",
	"mmap2",
	"comm_exec",
	"use_clockid",
	"context_switch",
	"write_backward",
	"namespaces",
	"ksymbol",
	"bpf_event",
	"aux_output",
	"cgroup",
	"text_poke",
	"build_id",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
};

static const struct field attr_rest[] = {
	{"bp_type", 52, 4, FIELD_HEX},
	{"config1", 56, 8, FIELD_HEX},
	{"config2", 64, 8, FIELD_HEX},
	{"branch_sample_type", 72, 8, FIELD_HEX},
	{"sample_regs_user", 80, 8, FIELD_HEX},
	{"sample_stack_user", 88, 4, FIELD_HEX},
	{"clockid", 92, 4, FIELD_SIGNED},
	{"sample_regs_intr", 96, 8, FIELD_HEX},
	{"aux_watermark", 104, 4, FIELD_NUMBER},
	{"sample_max_stack", 108, 2, FIELD_NUMBER},
	{"aux_sample_size", 112, 4, FIELD_NUMBER},
	{"sig_data", 120, 8, FIELD_HEX},
	{"config3", 128, 8, FIELD_HEX},
};

static void config_show(const struct call_text *t, uint64_t type, uint64_t config)
{
	enum { HARDWARE, SOFTWARE };

	if (type == HARDWARE && words_name(call_words(WORDS_perf_hardware), config))
		call_enum_show(t, WORDS_perf_hardware, config, "%u");
	else if (type == SOFTWARE && words_name(call_words(WORDS_perf_software), config))
		call_enum_show(t, WORDS_perf_software, config, "%u");
	else
		buf_printf(t->out, "%#llx", (unsigned long long)config);
}

static void flags_show_set(const struct call_text *t, uint64_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (i == FLAG_PRECISE && flags >> i & 3)
			buf_printf(t->out, ", precise_ip=%u", (unsigned int)(flags >> i & 3));
		else if (i != FLAG_PRECISE && flag_names[i] && flags >> i & 1)
			buf_printf(t->out, ", %s=1", flag_names[i]);
	}
	if (flags >> ARRAY_SIZE(flag_names))
		buf_printf(t->out, ", flags=%#llx",
			   (unsigned long long)(flags >> ARRAY_SIZE(flag_names)
								 << ARRAY_SIZE(flag_names)));
}

static void rest_show(const struct call_text *t, const uint8_t *attr, uint64_t flags)
{
	const uint64_t wakeup = field_number(attr + 48, 4);

	if (wakeup)
		buf_printf(t->out, ", wakeup_%s=%llu",
			   flags >> FLAG_WATERMARK & 1 ? "watermark" : "events",
			   (unsigned long long)wakeup);
	for (size_t i = 0; i < ARRAY_SIZE(attr_rest); i++) {
		const struct field *f = &attr_rest[i];
		const uint64_t v = field_number(attr + f->at, f->size);

		if (!v)
			continue;
		buf_printf(t->out, f->form == FIELD_HEX ? ", %s=%#llx" : ", %s=%lld", f->name,
			   f->form == FIELD_SIGNED ? (unsigned long long)(int)v
						   : (unsigned long long)v);
	}
	buf_char(t->out, '}');
}

bool call_perf_attr_show(const struct call_text *t)
{
	uint8_t attr[ATTR_MOST] = {0};
	uint64_t type, flags;
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!p || n < ATTR_LEAST)
		return false;
	memcpy(attr, p, MIN(n, sizeof(attr)));
	type = field_number(attr + AT_TYPE, 4);
	flags = field_number(attr + AT_FLAGS, 8);
	buf_str(t->out, "{type=");
	call_enum_show(t, WORDS_perf_type, type, "%u");
	buf_printf(t->out, ", size=%u, config=", (unsigned int)field_number(attr + AT_SIZE, 4));
	config_show(t, type, field_number(attr + AT_CONFIG, 8));
	buf_printf(t->out, ", sample_%s=%llu, sample_type=",
		   flags >> FLAG_FREQUENCY & 1 ? "freq" : "period",
		   (unsigned long long)field_number(attr + AT_PERIOD, 8));
	call_bits_show(t, WORDS_perf_sample, field_number(attr + AT_SAMPLE, 8));
	buf_str(t->out, ", read_format=");
	call_bits_show(t, WORDS_perf_read, field_number(attr + AT_READ, 8));
	flags_show_set(t, flags);
	rest_show(t, attr, flags);
	return true;
}
