// SPDX-License-Identifier: MIT
/* Explains why an address has no name. */
#include "symbol/contained/contained_private.h"

static const char *source_text(enum symbol_source source)
{
	switch (source) {
	case SYMBOLS_KALLSYMS:
		return "kallsyms";
	case SYMBOLS_VMLINUX:
		return "vmlinux";
	case SYMBOLS_SYMTAB:
		return "its symbol table";
	case SYMBOLS_DYNSYM:
		return "only its dynamic symbols, it is stripped";
	case SYMBOLS_EMBEDDED:
		return "the table in its .gnu_debugdata, and its dynamic symbols";
	case SYMBOLS_GO:
		return "the table of functions that Go's runtime needs";
	case SYMBOLS_DEBUG_FILE:
		return "a file with debug information";
	case SYMBOLS_BUILD_ID_CACHE:
		return "the build-id cache";
	case SYMBOLS_RANGES:
		return "its .eh_frame alone, it is stripped";
	case SYMBOLS_PERF_MAP:
		return "a JIT's map";
	case SYMBOLS_JITDUMP:
		return "a JIT's dump";
	case SYMBOLS_SYNTHETIC:
		return "the recording";
	case SYMBOLS_NONE:
	case SYMBOLS_NOT_LOADED:
		break;
	}
	return "nowhere";
}

static void tried(struct buf *out, const char *path, const char *why)
{
	buf_str(out, "  ");
	buf_safe(out, path);
	buf_printf(out, ": %s\n", why);
}

void dso_tried(struct dso *dso, const char *path, const char *why)
{
	if (dso->set->options.verbose > 0)
		tried(&dso->private_data->tried, path, why);
}

void dso_foreign(struct dso *dso, const char *path)
{
	dso->private_data->foreign = true;
	dso_tried(dso, path, "belongs to another user (-f uses it)");
}

static void dso_explain_reason(const struct dso *dso, struct buf *out)
{
	char id[41];

	build_id_text(&dso->build_id, id);
	buf_safe(out, dso->long_name);
	if (*id)
		buf_printf(out, " (build-id %s)", id);
	if (dso->symbols.n) {
		buf_printf(out, ": %zu symbols from %s", dso->symbols.n, source_text(dso->source));
		if (dso->source_path) {
			buf_str(out, ": ");
			buf_safe(out, dso->source_path);
		}
		buf_char(out, '\n');
		if (dso->source == SYMBOLS_JITDUMP || dso->source == SYMBOLS_KALLSYMS)
			buf_add(out, dso->private_data->tried.at, dso->private_data->tried.n);
		return;
	}
	buf_str(out, ": no symbols");
	if (dso->source_path) {
		buf_str(out, ", it is stripped: ");
		buf_safe(out, dso->source_path);
	}
	buf_char(out, '\n');
	buf_add(out, dso->private_data->tried.at, dso->private_data->tried.n);
}

void dso_set_explain(const struct dso_set *set, struct buf *out)
{
	for (size_t i = 0; i < set->dsos.n; i++) {
		const struct dso *dso = set->dsos.at[i];

		if (atomic_load_explicit(&dso->private_data->loaded, memory_order_acquire))
			dso_explain_reason(dso, out);
	}
}

enum nameless dso_nameless(const struct dso *dso)
{
	if (!dso)
		return NAMELESS_NOWHERE;
	if (contained_of(dso))
		return contained_of(dso)->nameless;
	if (dso->source == SYMBOLS_DYNSYM)
		return NAMELESS_STRIPPED;
	if (dso->symbols.n)
		return NAMELESS_BETWEEN;
	if (dso->private_data->foreign)
		return NAMELESS_FOREIGN;
	if (dso->private_data->stale)
		return NAMELESS_STALE;
	if (dso->in_kernel)
		return NAMELESS_KERNEL;
	if (dso->outside)
		return NAMELESS_OUTSIDE;
	if (dso->kind == DSO_ANON)
		return NAMELESS_MEMORY;
	if (dso->private_data->replaced)
		return NAMELESS_REPLACED;
	return dso->source_path ? NAMELESS_STRIPPED : NAMELESS_GONE;
}
