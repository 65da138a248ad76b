// SPDX-License-Identifier: MIT
#include "event/registers.h"
#include "symbol/insn_x86.h"
#include "view/script/script.h"

#include <time.h>

void script_registers(const struct script *s, const struct sample_regs *regs, struct buf *out)
{
	size_t at = 0;

	if (!regs->regs)
		return;
	buf_str(out, " ABI:");
	buf_dec(out, regs->abi);
	buf_char(out, ' ');
	for (unsigned int i = 0; i < 64; i++) {
		const char *name;

		if (!(regs->mask & 1ull << i))
			continue;
		name = register_name(s->rec->m.arch, i);
		buf_right(out, name ? name : "unknown", 5);
		buf_str(out, ":0x");
		buf_hex(out, regs->regs[at++]);
		buf_char(out, ' ');
	}
}

void script_page_size(uint64_t size, struct buf *out)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	if (!size) {
		buf_str(out, " N/A");
		return;
	}
	for (; size / 1024 > 1 && unit < 3; unit++)
		size /= 1024;
	buf_char(out, ' ');
	buf_dec(out, size);
	buf_char(out, units[unit]);
}

bool script_is_x86(const struct recording *rec)
{
	const char *arch = rec->m.arch;

	/* old recordings do not have the architecture */
	return !arch || !strcmp(arch, "x86_64") || (arch[0] == 'i' && !strcmp(arch + 2, "86"));
}

/* Appends the instruction at the sample's address, when a file has its bytes. */
void script_insn(struct script *s, const struct place *at, uint64_t fields, struct buf *out)
{
	uint8_t bytes[INSN_X86_MAX + 1];
	unsigned int length = 0;

	if (at->map && !at->map->absolute && !at->dso->in_kernel && s->rec->m.arch &&
	    script_is_x86(s->rec)) {
		dso_load(at->dso);
		if (at->dso->symbols.n)
			length = insn_x86_length(
				bytes,
				code_read(&s->code, at->dso, at->offset, bytes, sizeof(bytes)),
				at->dso->is_64_bit);
	}
	if (fields & FIELD_INSNLEN) {
		buf_str(out, " ilen: ");
		buf_dec(out, length);
	}
	if (!(fields & FIELD_INSN) || !length)
		return;
	buf_str(out, " insn:");
	for (unsigned int i = 0; i < length; i++) {
		buf_char(out, ' ');
		buf_hex_zero(out, bytes[i], 2);
	}
}

/* Characters of Latin-1. */
static bool script_values_is_shown(unsigned char c)
{
	return (c >= ' ' && c <= '~') || c >= 0xa0;
}

/* Eight bytes in a line, as numbers and as characters; then all as a string if they are one. */
void script_bpf_output(const struct sample *sample, struct buf *out)
{
	enum { PER_LINE = 8 };
	bool printable = true, ended = false;

	buf_char(out, '\n');
	for (uint32_t at = 0; at < sample->raw_size; at += PER_LINE) {
		uint32_t n = MIN(sample->raw_size - at, (uint32_t)PER_LINE);

		buf_right(out, at ? "           " : "BPF output:", 17);
		buf_char(out, ' ');
		buf_hex_zero(out, at, 4);
		buf_char(out, ':');
		for (uint32_t i = 0; i < PER_LINE; i++) {
			buf_char(out, ' ');
			if (i < n)
				buf_hex_zero(out, sample->raw[at + i], 2);
			else
				buf_str(out, "  ");
		}
		buf_str(out, "  ");
		for (uint32_t i = 0; i < PER_LINE; i++) {
			unsigned char c = i < n ? sample->raw[at + i] : ' ';

			if (i < n && ended && c)
				printable = false;
			if (i < n && !script_values_is_shown(c)) {
				if (!c)
					ended = true;
				else
					printable = false;
				c = '.';
			}
			buf_char(out, (char)c);
		}
		buf_char(out, '\n');
	}
	if (printable && ended) {
		buf_right(out, "BPF string:", 17);
		buf_str(out, " \"");
		buf_safe(out, (const char *)sample->raw);
		buf_str(out, "\"\n");
	}
}

void script_clock_time(const struct recording *rec, uint64_t time, bool ns, struct buf *out)
{
	uint64_t wall = rec->m.clock.wall_ns + (time - rec->m.clock.clock_ns);
	time_t seconds = (time_t)(wall / 1000000000);
	struct tm tm;

	if (!recording_has(rec, FEATURE_CLOCK_DATA)) {
		buf_str(out, "disabled");
		return;
	}
	localtime_r(&seconds, &tm);
	buf_printf(out, "%04d-%02d-%02d %02d:%02d:%02d.", tm.tm_year + 1900, tm.tm_mon + 1,
		   tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (ns)
		buf_dec_zero(out, wall % 1000000000, 9);
	else
		buf_dec_zero(out, wall % 1000000000 / 1000, 6);
}

/* A letter for each property. Modes are tested as bit masks, as in perf, so one mode can match
 * another's bits. */
void script_misc(const struct record *r, struct buf *out)
{
	static const struct {
		uint16_t bits;
		char letter;
	} modes[] = {{MISC_KERNEL, 'K'}, {MISC_USER, 'U'}, {MISC_HYPERVISOR, 'H'},
		     {MISC_GUEST_KERNEL, 'G'}, {MISC_GUEST_USER, 'g'}};
	uint16_t misc = r->header.misc;
	size_t before = out->n;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			buf_char(out, modes[i].letter);
	switch (r->header.type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		if (misc & MISC_MMAP_DATA)
			buf_char(out, 'M');
		break;
	case RECORD_COMM:
		if (misc & MISC_COMM_EXEC)
			buf_char(out, 'E');
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		if (misc & MISC_SWITCH_OUT)
			buf_char(out, 'S');
		if ((misc & MISC_SWITCH_OUT) && (misc & MISC_SWITCH_PREEMPT))
			buf_char(out, 'p');
		break;
	default:
		break;
	}
	buf_fill(out, ' ', 6 - MIN(out->n - before, (size_t)5));
}
