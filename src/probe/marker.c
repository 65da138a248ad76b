// SPDX-License-Identifier: MIT
#include "probe/marker.h"

#include "base/options/options.h"
#include "probe/dwarf/location.h"
#include "probe/target.h"
#include "symbol/elf/sdt.h"

#include <ctype.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "%eax", "%al", "%r8d" and "%rax" are one register to the kernel. */
static const char *register_of(const char *name, size_t n, struct arena *arena)
{
	static const char *const bases[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
	char letters[8];

	if (n < 2 || n >= sizeof(letters) + 1 || *name != '%')
		return NULL;
	snprintf(letters, sizeof(letters), "%.*s", (int)(n - 1), name + 1);
	if (letters[0] == 'r' && isdigit((unsigned char)letters[1]))
		return arena_printf(arena, "%%r%lu", strtoul(letters + 1, NULL, 10));
	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		const char *base = bases[i],
			   *at = letters + (letters[0] == 'r' || letters[0] == 'e');

		if (!strcmp(at, base) ||
		    (base[0] == at[0] && base[1] == 'x' && !strcmp(at + 1, "l")) ||
		    (base[1] != 'x' && at[0] == base[0] && at[1] == base[1] &&
		     !strcmp(at + 2, "l")))
			return arena_printf(arena, "%%%s", base);
	}
	return NULL;
}

/* "OFFSET(%REGISTER)" */
static bool memory_of(const char *text, size_t n, struct arena *arena, struct probe_fetch *out)
{
	const char *open = memchr(text, '(', n);
	char number[24], *rest;
	int64_t offset = 0;

	if (!open || text[n - 1] != ')' || (size_t)(open - text) >= sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)(open - text), text);
	if (*number) {
		offset = strtoll(number, &rest, 0);
		if (*rest)
			return false;
	}
	out->base = register_of(open + 1, (size_t)(text + n - open) - 2, arena);
	if (out->base)
		vec_add(&out->derefs, (struct probe_deref){offset});
	return out->base != NULL;
}

bool probe_marker_arg(uint16_t machine, const char *text, size_t n, unsigned int number,
		      struct arena *arena, struct probe_fetch *out)
{
	const char *at = memchr(text, '@', n);
	long size;
	char *rest;

	*out = (struct probe_fetch){.name = arena_printf(arena, "arg%u", number)};
	if (machine != EM_X86_64 || !at)
		return false;
	size = strtol(text, &rest, 10);
	if (rest != at ||
	    (labs(size) != 1 && labs(size) != 2 && labs(size) != 4 && labs(size) != 8))
		return false;
	out->type = arena_printf(arena, "%c%ld", size < 0 ? 's' : 'u', 8 * labs(size));
	n -= (size_t)(at + 1 - text);
	at++;
	if (n > 1 && *at == '$') {
		out->base = arena_printf(arena, "\\%.*s", (int)(n - 1), at + 1);
		return true;
	}
	if (n > 1 && *at == '%')
		out->base = register_of(at, n, arena);
	else if (n > 2)
		memory_of(at, n, arena, out);
	return out->base != NULL;
}

static void add_marker(const struct sdt_markers *all, const struct sdt_marker *m,
		       struct probe_defs *out, struct buf *notes)
{
	struct probe_def *d = vec_extend(out, 1);
	unsigned int number = 0;

	d->address = m->offset;
	d->counter = m->semaphore;
	d->function = arena_strdup(&out->arena, m->name);
	for (const char *p = m->args; *p;) {
		const size_t n = strcspn(p, " ");
		struct probe_fetch f;

		if (n) {
			number++;
			if (probe_marker_arg(all->machine, p, n, number, &out->arena, &f))
				vec_add(&d->args, f);
			else
				buf_printf(notes, "argument %u of '%s' cannot be fetched: '%.*s'\n",
					   number, m->name, (int)n, p);
		}
		p += n + (p[n] == ' ');
	}
}

int probe_target_markers(struct probe_target *t, const struct probe_spec *s, struct probe_defs *out,
			 struct buf *notes, struct err *err)
{
	const size_t before = out->n;
	struct sdt_markers all;

	if (t->kind != PROBE_FILE)
		return err_set(err, ERR_USAGE, "'%s:%s' is a marker of a program: -x says of which",
			       s->group, s->function);
	if (sdt_markers_read(&all, t->path))
		return err_set(err, ERR_INPUT, "'%s' is no ELF file", t->path);
	for (size_t i = 0; i < all.n; i++)
		if (glob_match(s->group + 4, all.at[i].provider) &&
		    glob_match(s->function, all.at[i].name))
			add_marker(&all, &all.at[i], out, notes);
	sdt_markers_release(&all);
	if (out->n > before)
		return 0;
	err_set(err, ERR_INPUT, "'%s' has no marker '%s:%s'", t->path, s->group, s->function);
	return err_hint(err,
			"'perf list sdt' shows the markers of the files in the build-id store");
}
