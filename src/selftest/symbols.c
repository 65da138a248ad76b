// SPDX-License-Identifier: MIT
/* What a file's functions are called, and their code. */
#include "selftest/selftest.h"

#include "base/mem.h"
#include "symbol/disasm/disasm.h"
#include "symbol/table/symbol_table.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS 12 /* to be disassembled */
#define SMALLEST  32 /* bytes */

static struct dso *symbols_load(struct selftest_run *r, struct dso_set *set)
{
	const struct symbol_options options = {.symfs = "", .demangle = true};
	struct dso *dso;

	dso_set_init(set, &options);
	dso = dso_set_get(set, r->dso ? r->dso : r->program, NULL, DSO_FILE, -1);
	dso_load(dso);
	return dso;
}

static bool is_function(const struct symbol *s)
{
	return !s->plt && (s->type == STT_FUNC || s->type == STT_GNU_IFUNC);
}

/* Each function has a size, is found by the address of its first byte, and none that begins before
 * it by that of its last one: functions may lie within others, as the stubs of linkage tables lie
 * within _init. */
static enum selftest_verdict symbols_check(struct selftest_run *r, struct dso *dso)
{
	size_t functions = 0;

	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i), *first, *last;

		if (!is_function(s))
			continue;
		functions++;
		if (s->start >= s->end)
			return selftest_fail(r, "%.200s has no size", s->name);
		first = dso_find(dso, s->start);
		last = dso_find(dso, s->end - 1);
		if (!first || first->start != s->start)
			return selftest_fail(r, "%#llx, where %.150s begins, is found in %.150s",
					     (unsigned long long)s->start, s->name,
					     first ? first->name : "nothing");
		if (last && last->start < s->start)
			return selftest_fail(r, "%#llx, where %.150s ends, is found in %.150s",
					     (unsigned long long)s->end - 1, s->name, last->name);
	}
	selftest_say(r, "%zu functions among %zu symbols of %s", functions, dso->symbols.n,
		     dso->long_name);
	return SELFTEST_OK;
}

static enum selftest_verdict look_symbols_up(struct selftest_run *r)
{
	struct dso_set set = {0};
	struct dso *dso = symbols_load(r, &set);
	enum selftest_verdict verdict;

	if (access(dso->long_name, R_OK))
		verdict = selftest_fail(r, "'%.200s' cannot be read: %s", dso->long_name,
					strerror(errno));
	else if (!dso->symbols.n)
		verdict = selftest_skip(r, "'%.200s' has no symbols", dso->long_name);
	else
		verdict = symbols_check(r, dso);
	dso_set_release(&set);
	return verdict;
}

/* Reads one group of hexadecimal digits at *text: bytes, or a word in this machine's order. Returns
 * how many bytes it stands for. */
static size_t group_read(const char **text, uint8_t *to, size_t most)
{
	size_t digits = strspn(*text, "0123456789abcdef"), n = digits / 2;
	const bool swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	if (digits % 2 || !n || n > most || ((*text)[digits] && (*text)[digits] != ' '))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char pair[3] = {(*text)[2 * i], (*text)[2 * i + 1]};

		to[swap ? n - 1 - i : i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	*text += digits + strspn(*text + digits, " ");
	return n;
}

/* Compares what objdump shows of a function with the bytes that perf finds. Lines without an
 * instruction behind the bytes continue the one before. Returns how many bytes were compared; 0: a
 * difference is in r->why. */
static size_t code_compare(struct selftest_run *r, const struct disasm *d, const uint8_t *code,
			   size_t size, const char *name)
{
	size_t compared = 0;

	for (size_t i = 0; i < d->lines.n; i++) {
		const struct disasm_line *line = &d->lines.at[i];
		uint64_t at = line->vaddr - d->start, next = size;
		const char *text = line->text + strspn(line->text, " ");
		uint8_t bytes[8];
		size_t n;

		if (line->vaddr == DISASM_NO_ADDRESS || at >= size)
			continue;
		for (size_t k = i + 1; k < d->lines.n; k++)
			if (d->lines.at[k].vaddr != DISASM_NO_ADDRESS) {
				next = MIN(d->lines.at[k].vaddr - d->start, size);
				break;
			}
		for (; at < next && (n = group_read(&text, bytes, MIN(next - at, sizeof(bytes))));
		     at += n, compared += n)
			if (memcmp(bytes, code + at, n)) {
				selftest_fail(r, "objdump shows other bytes at %.150s+%#llx", name,
					      (unsigned long long)at);
				return 0;
			}
	}
	if (compared != size)
		selftest_fail(r, "objdump shows %zu bytes of %.150s, which has %zu", compared, name,
			      size);
	return compared == size ? size : 0;
}

static enum selftest_verdict function_compare(struct selftest_run *r, struct dso *dso,
					      struct code_files *files, const struct symbol *s)
{
	/* -z: without it, zeros are left out */
	AUTO_CHAR *objdump = mem_printf("%s -z", r->objdump ? r->objdump : "objdump");
	const struct disasm_options options = {
		.tools = {DISASM_OBJDUMP}, .raw = true, .objdump = objdump};
	const size_t size = (size_t)(s->end - s->start);
	uint8_t *code = mem_alloc(size);
	enum selftest_verdict verdict = SELFTEST_OK;
	struct disasm d = {0};
	struct err err = {0};

	if (code_read(files, dso, s->start, code, size) != size)
		verdict = selftest_fail(r, "the code of %.200s cannot be read", s->name);
	else if (disasm_symbol(&d, dso, s, &options, &err))
		verdict = selftest_skip(r, "%.300s", err.text);
	else if (!code_compare(r, &d, code, size, s->name))
		verdict = SELFTEST_FAILED;
	else
		selftest_say(r, "%s: %zu bytes", s->name, size);
	disasm_release(&d);
	free(code);
	return verdict;
}

/* Functions from all parts of the file. */
static enum selftest_verdict read_code(struct selftest_run *r)
{
	struct dso_set set = {0};
	struct code_files files = {0};
	struct dso *dso = symbols_load(r, &set);
	enum selftest_verdict verdict = SELFTEST_OK;
	const size_t step = dso->symbols.n / FUNCTIONS + 1;
	size_t done = 0;

	for (size_t i = 0; i < dso->symbols.n && verdict == SELFTEST_OK; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);

		if (i < done * step || !is_function(s) || s->end - s->start < SMALLEST ||
		    dso_find(dso, s->end - 1) != s)
			continue;
		verdict = function_compare(r, dso, &files, s);
		done++;
	}
	if (!done)
		verdict = selftest_skip(r, "'%.200s' has no symbols of functions", dso->long_name);
	code_files_release(&files);
	dso_set_release(&set);
	return verdict;
}

const struct selftest selftests_symbols[] = {
	{"Symbols", look_symbols_up},
	{"Object code reading", read_code},
	{0},
};
