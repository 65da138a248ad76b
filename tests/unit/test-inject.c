// SPDX-License-Identifier: MIT
/* What inject makes: files of a JIT's code, joined sleeps, traces that keep their bytes
 * and places. */
#include "unit.h"

#include "analysis/inject/inject.h"
#include "data/feature/feature.h"
#include "symbol/elf/elf_symbols.h"
#include "symbol/jit/jit_image.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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

/* With lines, with and without unwinding tables: each section is where its name says. */
static void files_of_code_have_lines(void **state)
{
	static const char code[] = "\x90\x90\xc3", frames[] = "FRAMES..HEAD";
	struct jit_line at[] = {{.at = 0, .line = 300, .file = "f.js"},
				{.at = 2, .line = 7, .file = "g.js"}};
	const struct jit_lines lines = {.at = at, .n = 2};
	struct jit_image image = {.machine = EM_X86_64, .name = "f", .code = code, .size = 3,
				  .lines = &lines};
	static const uint8_t program[] = {0, 9, 2, 0,	 1, 0,	  0,	0,
					  0, 0, 0,	       /* from JIT_IMAGE_CODE on */
					  2, 0, 3, 0xab, 2, 1, /* + 299 lines */
					  4, 2, 2, 2,	 3, 0xdb, 0x7d, 1, /* - 293 */
					  2, 1, 0, 1,	 1};

	(void)state;
	for (int with = 0; with < 2; with++) {
		AUTO_BUF out = {0};
		struct elf_file f;
		struct cursor c;
		uint32_t told;

		image.frames = with ? frames : NULL;
		image.frames_size = with ? 12 : 0;
		image.frames_header_size = with ? 4 : 0;
		jit_image_build(&image, &out);
		assert_int_equal(elf_file_init(&f, out.at, out.n), 0);
		assert_int_equal(with, elf_section_named(&f, ".eh_frame_hdr") != NULL);
		c = elf_section_bytes(&f, elf_section_named(&f, ".debug_info"));
		told = cursor_u32(&c);
		assert_int_equal(told, cursor_left(&c));
		c = elf_section_bytes(&f, elf_section_named(&f, ".debug_line"));
		told = cursor_u32(&c);
		assert_int_equal(told, cursor_left(&c));
		assert_int_equal(cursor_u16(&c), 4);
		cursor_skip(&c, cursor_u32(&c));
		bytes_are(c, program, sizeof(program));
		assert_non_null(elf_section_named(&f, ".debug_abbrev"));
		elf_file_release(&f);
	}
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
	for (const char *const *bad =
		     (const char *const[]){"xy /a", "00", "001 /a", "00/a", " 00 /a,z",
					   "00112233445566778899001122334455667788990 /a",
					   "file:///nonexistent", NULL};
	     *bad; bad++)
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
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
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
		assert_int_equal(rec->m.events.events.n, config3 + 1);
		/* all the same: a reader finds the next one by the length that this one tells */
		for (size_t i = 0; i <= config3; i++)
			assert_int_equal(rec->m.events.events.at[i]->attr.size,
					 config3 ? 136 : 128);
		assert_int_equal(rec->m.events.events.at[config3]->attr.config3, config3);
	}
	event_set_release(&set);
}

static void add_line(struct buf *b, uint64_t address, uint32_t line, const char *file, size_t n)
{
	uint32_t numbers[2] = {line, 0};

	buf_add(b, &address, sizeof(address));
	buf_add(b, numbers, sizeof(numbers));
	buf_add(b, file, n);
}

/* "AT FILE:LINE, ..." of what a file holds after three bytes. */
static const char *lines_of(const struct buf *b, uint32_t n, uint64_t size)
{
	static struct buf text;
	const struct jit_line_table table = {3, (uint32_t)b->n, n, 0x1000};
	struct jit_lines lines = {0};
	int fd = memfd_create("lines", MFD_CLOEXEC);

	assert_int_equal(pwrite(fd, b->at, b->n, 3), b->n);
	buf_clear(&text);
	jit_lines_read(&lines, fd, &table, false, size);
	for (size_t i = 0; i < lines.n; i++)
		buf_printf(&text, "%llu %s:%u, ", (unsigned long long)lines.at[i].at,
			   lines.at[i].file, lines.at[i].line);
	jit_lines_release(&lines);
	close(fd);
	return buf_text(&text);
}

static void lines_of_a_jit_are_those_that_make_sense(void **state)
{
	struct buf b = {0};
	size_t whole;

	(void)state;
	add_line(&b, 0x1008, 5, "\xff", 2);  /* the same as what? */
	add_line(&b, 0x1004, 2, "a.js", 5);
	add_line(&b, 0x1000, 1, "\xff", 2);
	add_line(&b, 0x1010, 9, "\xff", 2);  /* behind the code */
	add_line(&b, 0xfff, 9, "\xff", 2);   /* in front of it */
	add_line(&b, 0x1004, 3, "\xc3\xa4.js", 6);
	whole = b.n;
	assert_string_equal(lines_of(&b, 6, 16), "0 a.js:1, 4 a.js:2, 4 \xc3\xa4.js:3, ");
	assert_string_equal(lines_of(&b, UINT32_MAX, 16), "0 a.js:1, 4 a.js:2, 4 \xc3\xa4.js:3, ");
	assert_string_equal(lines_of(&b, 3, 16), "0 a.js:1, 4 a.js:2, ");
	assert_string_equal(lines_of(&b, 6, 0), "");
	/* bytes that are no name end the table */
	add_line(&b, 0x1001, 7, "6\xe2", 3);
	add_line(&b, 0x1002, 7, "b.js", 5);
	assert_string_equal(lines_of(&b, 8, 16), "0 a.js:1, 4 a.js:2, 4 \xc3\xa4.js:3, ");
	b.n = whole - 1;
	assert_string_equal(lines_of(&b, 6, 16), "0 a.js:1, 4 a.js:2, ");
	for (size_t n = 0; n < whole; n++) {
		b.n = n;
		lines_of(&b, 6, 16);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_code_have_lines),
		cmocka_unit_test(lines_of_a_jit_are_those_that_make_sense),
		cmocka_unit_test(code_becomes_a_file),
		cmocka_unit_test(known_ids_are_read),
		cmocka_unit_test(traces_keep_their_bytes),
		cmocka_unit_test(attributes_are_as_long_as_their_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
