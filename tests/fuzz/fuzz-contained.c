// SPDX-License-Identifier: MIT
/* What a self-contained recording says of files: the body of a payload. Its head is made here, so
 * that checksum and sizes hold; then all that it has is asked for. */
#include "base/hash.h"
#include "driver.h"
#include "probe/types/data_types.h"
#include "symbol/code.h"
#include "symbol/contained/contained_private.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define HEAD  24
#define ASKED 50 /* of each list of a dso */

static void *payload_of(const uint8_t *data, size_t size, uint32_t version, size_t *n)
{
	const uint64_t raw = size;
	uint8_t *p = mem_zero(HEAD + ZSTD_compressBound(size));
	uint64_t sum;

	*n = HEAD + ZSTD_compress(p + HEAD, ZSTD_compressBound(size), data, size, 1);
	memcpy(p, &version, sizeof(version));
	memcpy(p + 16, &raw, sizeof(raw));
	sum = hash_bytes(p + 16, *n - 16, 0);
	memcpy(p + 8, &sum, sizeof(sum));
	return p;
}

/* The types that instructions and variables have. */
static void ask_types(struct dso *dso, const struct contained_dso *d)
{
	struct data_types *types = data_types_new();

	for (size_t i = 0; i < MIN(d->n_accesses, (size_t)ASKED); i++) {
		const struct contained_access *c = &d->accesses[i];
		const bool variable = c->flags & CONTAINED_VARIABLE;
		const struct symbol *sym = variable ? NULL : dso_find(dso, c->rva);
		const struct data_access *a = variable
						      ? data_types_find_variable(types, dso, c->rva)
						      : data_types_find(types, dso, sym, c->rva);
		AUTO_BUF path = {0};

		if (a->miss == DATA_FOUND)
			data_type_path(data_types_at(types, a->type), a->offset, &path);
	}
	data_types_free(types);
}

static void ask(struct code_files *code, struct dso *dso, const struct contained_dso *d)
{
	const struct symbol *sym = NULL;
	struct function_code f;
	uint8_t bytes[64];

	dso_load(dso);
	dso_nameless(dso);
	for (size_t i = 0; i < MIN(d->n_symbols, (size_t)ASKED); i++) {
		sym = dso_find(dso, d->symbols[i].start);
		if (sym && strlen(dso_symbol_name(dso, sym)) > SIZE_MAX / 2)
			abort();
		if (sym && !function_code_open(&f, dso, sym, NULL)) {
			memcpy(bytes, f.p, MIN(f.n, sizeof(bytes)));
			memcpy(bytes, f.p + f.n - MIN(f.n, sizeof(bytes)), MIN(f.n, sizeof(bytes)));
			function_code_release(&f);
		}
	}
	for (size_t i = 0; i < MIN(d->n_odd, (size_t)ASKED); i++)
		dso_find(dso, d->odd[i].rva);
	for (size_t i = 0; i < MIN(d->n_places, (size_t)ASKED); i++)
		dso_source(dso, d->places[i].rva);
	for (size_t i = 0; i < MIN(d->n_codes, (size_t)ASKED); i++)
		code_read(code, dso, d->codes[i].offset + 1, bytes, sizeof(bytes));
}

static void read_all(const uint8_t *data, size_t size, uint32_t version)
{
	const struct symbol_options how = {
		.symfs = "/nonexistent", .demangle = true, .jitdump = true};
	struct code_files code = {0};
	struct jit_codes codes = {0};
	struct contained *k;
	struct dso_set set;
	size_t n;
	void *p = payload_of(data, size, version, &n);

	k = contained_open(p, n, false);
	free(p);
	if (!k)
		return;
	dso_set_init(&set, &how);
	contained_attach(&set, k);
	for (size_t i = 1; i <= MIN(k->n_dsos, (size_t)ASKED); i++) {
		const struct contained_dso *d = &k->dsos[i];
		struct dso *dso = dso_set_get(&set, d->name, &d->recorded, d->kind, d->pid);

		if (d->kind == DSO_JITDUMP) {
			jitdump_read(dso, &codes);
			vec_release(&codes);
		}
		ask(&code, dso, d);
		ask_types(dso, d);
	}
	for (size_t i = 0; i < MIN(k->n_sources, (size_t)ASKED); i++) {
		AUTO_BUF text = {0};

		contained_source(&set, k->sources[i].file, &text);
	}
	code_files_release(&code);
	dso_set_release(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (uint32_t version = 1; version <= CONTAINED_VERSION; version++)
		read_all(data, size, version);
	return 0;
}
