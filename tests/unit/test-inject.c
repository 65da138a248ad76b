// SPDX-License-Identifier: MIT
/* What inject makes: files of a JIT's code, joined sleeps, traces that keep their bytes and places. */
#include "unit.h"

#include "analysis/inject/inject.h"
#include "data/feature.h"
#include "symbol/elf_symbols.h"
#include "symbol/jit/jit_image.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void bytes_are(struct cursor c, const void *want, size_t n)
{
	assert_false(c.bad);
	assert_int_equal(cursor_left(&c), n);
	assert_memory_equal(c.p, want, n);
}

static void code_becomes_a_file(void **state)
{
	static const char code[] = "\x90\x90\xc3", frames[] = "FRAMES..HEAD";
	struct jit_image image = {.machine = EM_X86_64, .name = "LazyCompile:~f", .code = code,
				  .size = 3, .frames = frames, .frames_size = 12,
				  .frames_header_size = 4};
	struct symbol_table symbols = {0};
	AUTO_BUF out = {0};
	struct elf_file f;
	struct build_id id = {0}, other = {0};
	const struct elf_section *s;

	(void)state;
	jit_image_build(&image, &out);
	assert_int_equal(elf_file_init(&f, out.at, out.n), 0);
	assert_int_equal(f.machine, EM_X86_64);
	s = elf_section_named(&f, ".text");
	assert_non_null(s);
	assert_int_equal(s->offset, JIT_IMAGE_CODE);
	assert_int_equal(s->addr, JIT_IMAGE_CODE);
	bytes_are(elf_section_bytes(&f, s), code, 3);
	/* right behind the code, as the JIT reckoned: from the next multiple of 8 on, both */
	s = elf_section_named(&f, ".eh_frame");
	assert_int_equal(s->offset, JIT_IMAGE_CODE + 8);
	bytes_are(elf_section_bytes(&f, s), "FRAMES..", 8);
	s = elf_section_named(&f, ".eh_frame_hdr");
	assert_int_equal(s->offset, JIT_IMAGE_CODE + 16);
	bytes_are(elf_section_bytes(&f, s), "HEAD", 4);
	assert_int_equal(jit_image_mapped(&image), 20);
	assert_int_equal(f.segments.n, 2);
	assert_int_equal(f.segments.at[0].filesz, 20);
	elf_symbols_add(&f, &f, SHT_SYMTAB, &symbols);
	assert_int_equal(symbols.n, 1);
	assert_string_equal(symbols.at[0].name, "LazyCompile:~f");
	assert_int_equal(symbols.at[0].start, JIT_IMAGE_CODE);
	assert_int_equal(symbols.at[0].end, JIT_IMAGE_CODE + 3);
	assert_int_equal(elf_build_id(&f, &id), 0);
	assert_int_equal(id.size, 20);
	elf_file_release(&f);
	free(symbols.at);
	/* another name: another file */
	buf_clear(&out);
	image.name = "LazyCompile:*f";
	image.frames_size = image.frames_header_size = 0;
	jit_image_build(&image, &out);
	assert_int_equal(elf_file_init(&f, out.at, out.n), 0);
	assert_int_equal(elf_build_id(&f, &other), 0);
	assert_memory_not_equal(id.bytes, other.bytes, 20);
	assert_null(elf_section_named(&f, ".eh_frame"));
	assert_int_equal(f.segments.n, 1);
	assert_int_equal(jit_image_mapped(&image), 3);
	elf_file_release(&f);
}

static void known_ids_are_read(void **state)
{
	struct known_ids known = {0};
	struct err e = {0};
	uint32_t i;

	(void)state;
	assert_int_equal(known_ids_parse(&known, "0011 /a b, aabbcc /c,22 /a b", &e), 0);
	assert_int_equal(known.ids.n, 2);
	i = intern_find(&known.paths, "/a b", 4);
	assert_int_equal(known.ids.at[i].size, 1);
	assert_int_equal(known.ids.at[i].bytes[0], 0x22);
	i = intern_find(&known.paths, "/c", 2);
	assert_int_equal(known.ids.at[i].size, 3);
	assert_int_equal(known.ids.at[i].bytes[2], 0xcc);
	for (const char *const *bad = (const char *const[]){"xy /a", "00", "001 /a", "00/a", " 00 /a,z",
							    "00112233445566778899001122334455667788990 /a",
							    "file:///nonexistent", NULL}; *bad; bad++)
		assert_int_equal(known_ids_parse(&known, *bad, &e), -1);
	known_ids_release(&known);
}

struct traced {
	struct record_header h;
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

/* A recording in pipe format or as a file, with a trace of that many bytes. */
static void make_traced(bool as_pipe, size_t n, struct buf *out)
{
	AUTO(sink) *sink = sink_open_memory(as_pipe, out);
	struct event_set set = {0};
	struct event *ev = event_set_add(&set, "cpu-clock");
	struct traced t = {.h = {RECORD_AUXTRACE, 0, sizeof(t)}, .size = n};
	char *bytes = mem_zero(n);
	struct err e = {0};

	for (size_t i = 0; i < n; i++)
		bytes[i] = (char)(i * 7);
	ev->attr = (struct attr){.type = TYPE_SOFTWARE, .size = ATTR_SIZE_6_1, .sample_period = 1,
				 .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
				 .flags = ATTR_SAMPLE_ID_ALL};
	event_set_add_id(&set, ev, 7);
	assert_int_equal(sink_begin(sink, &set, &e), 0);
	assert_int_equal(sink_features_done(sink, &e), 0);
	assert_int_equal(sink_put(sink, &t, sizeof(t), bytes, n, &e), 0);
	assert_int_equal(sink_put(sink, &t, sizeof(t), bytes, n, &e), 0);
	assert_int_equal(sink_end(sink, &e), 0);
	free(bytes);
	event_set_release(&set);
}

static void inject(const struct buf *from, bool as_pipe, const struct inject_options *how,
		   struct buf *out)
{
	static const struct symbol_options no_files = {.symfs = "/nonexistent"};
	struct inject_totals totals = {0};
	struct err e = {0};
	AUTO(recording) *rec = recording_open_memory(from->at, from->n, &e);
	AUTO(sink) *sink = sink_open_memory(as_pipe, out);

	assert_non_null(rec);
	if (inject_run(rec, sink, how, &no_files, &totals, &e))
		fail_msg("%s", e.text);
}

/* How many there are; all of them whole, and where the index says. */
static int traces_in(const struct buf *file, size_t n)
{
	struct err e = {0};
	AUTO(recording) *rec = recording_open_memory(file->at, file->n, &e);
	AUTO(source) *src = source_open(rec, SOURCE_FILE_ORDER, &e);
	struct cursor index = feature_cursor(rec, FEATURE_AUXTRACE);
	struct record r;
	int found = 0;

	assert_true(rec->is_pipe == index.bad);
	if (!rec->is_pipe)
		assert_int_equal(cursor_u64(&index), 2);
	while (source_next(src, &r, &e) > 0) {
		if (r.header.type != RECORD_AUXTRACE)
			continue;
		found++;
		assert_int_equal(r.blob.following, n);
		assert_non_null(r.blob.follows);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(r.blob.follows[i], (uint8_t)(i * 7));
		if (rec->is_pipe)
			continue;
		assert_int_equal(cursor_u64(&index), r.offset);
		assert_int_equal(cursor_u64(&index), sizeof(struct traced));
	}
	return found;
}

static void traces_keep_their_bytes(void **state)
{
	static const struct inject_options as_it_is = {0}, ordered = {.ids = INJECT_IDS_HIT};
	AUTO_BUF in = {0};
	AUTO_BUF out = {0};

	(void)state;
	for (int from_pipe = 0; from_pipe < 2; from_pipe++)
		for (int to_pipe = 0; to_pipe < 2; to_pipe++)
			for (size_t n = 8; n < 2000000; n *= 200) {
				make_traced(from_pipe, n, &in);
				inject(&in, to_pipe, &as_it_is, &out);
				assert_int_equal(traces_in(&out, n), 2);
				inject(&in, to_pipe, &ordered, &out);
				assert_int_equal(traces_in(&out, n), 2);
			}
}

static void attributes_are_as_long_as_their_content(void **state)
{
	struct event_set set = {0};
	struct err e = {0};
	AUTO_BUF out = {0};

	(void)state;
	for (uint64_t config3 = 0; config3 < 2; config3++) {
		AUTO(sink) *sink = sink_open_memory(false, &out);
		struct event *ev = event_set_add(&set, "cycles");
		AUTO(recording) *rec = NULL;

		ev->attr = (struct attr){.size = 136, .config3 = config3};
		assert_int_equal(sink_begin(sink, &set, &e), 0);
		assert_int_equal(sink_end(sink, &e), 0);
		rec = recording_open_memory(out.at, out.n, &e);
		assert_non_null(rec);
		assert_int_equal(rec->events.events.n, config3 + 1);
		/* all the same: a reader finds the next one by the length that this one tells */
		for (size_t i = 0; i <= config3; i++)
			assert_int_equal(rec->events.events.at[i]->attr.size, config3 ? 136 : 128);
		assert_int_equal(rec->events.events.at[config3]->attr.config3, config3);
	}
	event_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_becomes_a_file),
		cmocka_unit_test(known_ids_are_read),
		cmocka_unit_test(traces_keep_their_bytes),
		cmocka_unit_test(attributes_are_as_long_as_their_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
