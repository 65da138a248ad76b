// SPDX-License-Identifier: MIT
/* The language of probes, and the kernel's definitions. */
#include "driver.h"
#include "probe/definition.h"
#include "probe/names.h"
#include "probe/target.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct probe_names names = {0};
	struct probe_spec spec = {0};
	struct probe_def def = {0};
	struct arena arena = {0};
	struct buf text = {0};
	struct err err = {0};
	const char *all;

	buf_add(&text, data, size);
	all = arena_strdup(&arena, buf_text(&text));
	buf_clear(&text);
	if (!probe_spec_parse(&spec, all, &arena, &err)) {
		struct probe_def named = {.symbol = "f", .retprobe = spec.retprobe};

		probe_point_text(&spec, &text);
		for (size_t i = 0; i < spec.args.n; i++)
			probe_arg_text(&spec.args.at[i], &text);
		probe_name_def(&named, &spec, PROBE_NAME_NEW, &names, &arena, &err);
	}
	probe_spec_release(&spec);
	for (int user = 0; user < 2; user++) {
		probe_def_parse(all, strlen(all), user, &arena, &def);
		probe_def_release(&def);
	}
	probe_filter_match(all, "name", &err);
	probe_names_release(&names);
	buf_release(&text);
	arena_release(&arena);
	return 0;
}
