// SPDX-License-Identifier: MIT
/* Records and recordings: the bytes of every record type, and whole recordings of others. */
#include "unit.h"

#include "base/mem.h"
#include "data/feature.h"
#include "data/recording.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* Where other people's recordings are, or NULL: then those tests are skipped. */
static const char *corpus(void)
{
	return getenv("PERF_CORPUS");
}

static void every_record_encodes_to_its_bytes(void **state)
{
	glob_t g = {0};
	AUTO_CHAR *pattern = NULL;

	(void)state;
	if (!corpus())
		skip();
	pattern = mem_printf("%s/good/*", corpus());
	assert_int_equal(glob(pattern, 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct err e = {0};
		AUTO(recording) *rec = recording_open(g.gl_pathv[i], NULL, &e);
		AUTO_BUF out = {0};
		struct record r;
		size_t n = 0, samples = 0;

		if (!rec)
			fail_msg("%s: %s", g.gl_pathv[i], e.text);
		AUTO(source) *src = source_open(rec, SOURCE_FILE_ORDER, &e);
		while (source_next(src, &r, &e) > 0) {
			const struct event *ev = r.event;

			if (!ev && rec->events.events.n)
				ev = rec->events.events.at[0];
			n++;
			samples += r.header.type == RECORD_SAMPLE;
			if (rec->swap)
				continue;
			buf_clear(&out);
			assert_int_equal(record_encode(&r, ev ? ev->attr.sample_type : 0,
						       rec->sample_id_all, &out), 0);
			if (out.n != r.header.size || memcmp(out.at, r.bytes, out.n))
				fail_msg("%s: record %zu of type %s at %#llx differs (%zu, %u bytes)",
					 g.gl_pathv[i], n, record_type_name(r.header.type),
					 (unsigned long long)r.offset, out.n, r.header.size);
		}
		AUTO_BUF text = {0};
		losses_show(&rec->losses, &text);
		printf("%s: %zu records, %zu samples: %s\n", strrchr(g.gl_pathv[i], '/') + 1, n, samples, buf_text(&text));
	}
	globfree(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_encodes_to_its_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
