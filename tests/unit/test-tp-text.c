// SPDX-License-Identifier: MIT
/* Tracepoint samples as text: a row is a print format and what it makes of one sample. */
#include "unit.h"

#include "event/print/tp_text.h"

#include <stdio.h>

/* The fields of every row, and the sample they are read from. */
static const char fields[] = "name: t\nID: 9\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
			     "\tfield:unsigned long b;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:char comm[8];\toffset:24;\tsize:8;\tsigned:0;\n"
			     "\tfield:__data_loc char[] name;\toffset:32;\tsize:4;\tsigned:0;\n"
			     "\tfield:__data_loc u32[] list;\toffset:36;\tsize:4;\tsigned:0;\n"
			     "\tfield:u8 mac[6];\toffset:40;\tsize:6;\tsigned:0;\n"
			     "\tfield:u16 pairs[2];\toffset:46;\tsize:4;\tsigned:0;\n"
			     "\tfield:const char * text;\toffset:56;\tsize:8;\tsigned:0;\n"
			     "\tfield:__u8 sock[28];\toffset:64;\tsize:28;\tsigned:0;\n"
			     "\tfield:u8 ip6[16];\toffset:92;\tsize:16;\tsigned:0;\n"
			     "\nprint fmt: ";

static void make_raw(uint8_t raw[128])
{
	const int32_t a = -3;
	const uint64_t b = 0xffffffff81000010, text = 0x1234;
	const uint32_t name = 6 << 16 | 108, list = 8 << 16 | 116, elements[] = {7, 0x80000001};
	const uint16_t pairs[] = {513, 4};
	const uint8_t sock[] = {2, 0, 0, 80, 127, 0, 0, 1};
	const uint8_t ip6[16] = {0x20, 0x01, [15] = 1};

	memset(raw, 0, 128);
	memcpy(raw + 8, &a, 4);
	memcpy(raw + 16, &b, 8);
	memcpy(raw + 24, "swapper", 8);
	memcpy(raw + 32, &name, 4);
	memcpy(raw + 36, &list, 4);
	memcpy(raw + 40, "\1\2\3\xaa\xbb\xcc", 6);
	memcpy(raw + 46, pairs, 4);
	memcpy(raw + 56, &text, 8);
	memcpy(raw + 64, sock, 8);
	memcpy(raw + 92, ip6, 16);
	memcpy(raw + 108, "hello", 6);
	memcpy(raw + 116, elements, 8);
}

static const char *function_of(void *ctx, uint64_t address, uint64_t *start)
{
	(void)ctx;
	if (address >> 32 != 0xffffffff)
		return NULL;
	*start = 0xffffffff81000000;
	return "startup";
}

static const struct {
	const char *print_fmt, *text;
} rows[] = {
	/* conversions */
	{"\"a=%d u=%u x=%x\", REC->a, REC->a, REC->a", "a=-3 u=4294967293 x=fffffffd"},
	{"\"%ld %lu %lx %llx\", REC->b, REC->b, REC->b, REC->b",
	 "-2130706416 18446744071578845200 ffffffff81000010 ffffffff81000010"},
	{"\"%hd %hhu %#x %08lx %4d|%-4d|%o\", REC->a, REC->a, 255, REC->pairs[0], 7, 7, 8",
	 "-3 253 0xff 00000201    7|7   |10"},
	{"\"%5d|%5d|%05d|%+d|% d|%-6x|%6lx|%06lx\", REC->a, 7, REC->a, 7, 7, 255, 255, 255",
	 "   -3|    7|-0003|+7| 7|ff    |    ff|0000ff"},
	{"\"%zu\", REC->b", "2164260880"}, /* perf 6.1 shows the lower half */
	{"\"100%% \\\"q\\\" a\\tb\\\\\"", "100% \"q\" a\tb\\"},
	{"\"[%s|%10s|%-8s|%.3s|%.*s]\", REC->comm, REC->comm, __get_str(name), REC->comm, 2, "
	 "REC->comm",
	 "[swapper|   swapper|hello   |swa|sw]"},
	{"\"%c%c\", REC->a ? 'y' : 'n', 'z'", "yz"},
	{"\"[%*c|%-*c]\", 3, 'y', 2, 'z'", "[  y|z ]"},
	{"\"%s\", \"a\x1b[2J\"", "a\\x1b[2J"},
	/* no sample of a few bytes becomes a line of gigabytes */
	{"\"%.999999999d\", REC->a", NULL},
	{"\"%513d\", REC->a", NULL},
	{"\"%512d\", REC->a",
	 "                                                                                         "
	 "                                                                                         "
	 "                                                                                         "
	 "                                                                                         "
	 "                                                                                         "
	 "                                                                 -3"},
	{"\"one \" \"two %d\", 2", "one two 2"},
	/* arithmetic, and where it isn't C's: from the right, and parentheses that don't hold */
	{"\"%d %d %d\", 2 + 3 * 4, (2 + 3) * 4, 7 & 3", "14 20 3"},
	{"\"%d\", 10 - 3 - 2", "9"},
	{"\"%d\", 8 & (1 | 2)", "2"},
	{"\"%d %d\", !REC->a, ~0", "0 -1"},
	{"\"%d\", -5", "-5"},
	{"\"%d %d\", -REC->pairs[1], ~REC->pairs[1] + 1", "-4 -6"},
	{"\"%d %d\", REC->b >> 60, 1 << 4", "15 16"},
	{"\"%d %d\", 7 / 0, 7 % 0", "0 0"},
	{"\"%s\", REC->a == 5 ? \"five\" : \"other\"", "other"},
	{"\"%d\", (u8)REC->a", "253"},
	{"\"%u %u\", REC->pairs[0], REC->pairs[1]", "513 4"},
	/* bits of a field, and of bits; a negative one has all the high ones */
	{"\"%d,%d\", ((unsigned int) ((REC->b) >> 20)), ((unsigned int) ((REC->b) & ((1U << 20) - "
	 "1)))",
	 "-2032,16"},
	{"\"%lx %lx %lx\", (REC->b >> 16 & 0xffff) >> 8, (u16)(REC->b >> 12), (REC->b & 0xff0000) "
	 ">> 16",
	 "81 1000 0"},
	{"\"%lx %d\", (REC->b & 0xf0f0) | 1, (REC->a & 0xff) == 253 ? 1 + 1 : 3", "11 2"},
	{"\"%d\", 1 ? REC->a & 0xf : 5", "13"},
	{"\"%lu\", ((unsigned long)(REC->b) & 0xff)", "16"},
	{"\"%d\", __builtin_expect(REC->a, 0)", "-3"},
	/* helpers */
	{"\"%s\", __print_flags(5, \"|\", { 1, \"A\" }, { 4, \"C\" }, { 8, \"D\" })", "A|C"},
	{"\"%s\", __print_flags(19, \"|\", { 1, \"A\" }, { 2, \"B\" })", "A|B|0x10"},
	{"\"%s\", __print_flags(0, \"|\", { 1, \"A\" }, { -1, \"none\" })", "none"},
	{"\"%s\", __print_symbolic(REC->pairs[1], { 4, \"four\" }, { 5, \"five\" })", "four"},
	{"\"%s %s\", __print_symbolic(REC->pairs[1], { 0, \"0\" }, { 1, \"1\" }, { 2, \"2\" }, { "
	 "3, \"3\" }, "
	 "{ 4, \"four\" }, { 4, \"again\" }, { 6, \"6\" }, { 7, \"7\" }, { 8, \"8\" }), "
	 "__print_symbolic(9, "
	 "{ 0, \"0\" }, { 1, \"1\" }, { 2, \"2\" }, { 3, \"3\" }, { 4, \"4\" }, { 5, \"5\" }, { 6, "
	 "\"6\" }, { 7, \"7\" })",
	 "four 0x9"},
	{"\"%s\", __print_symbolic(9, { 4, \"four\" }, { 0, ((void *)0) })", "0x9"},
	{"\"%s\", __print_symbolic(1, { HI_SOFTIRQ, \"HI\" }, { TIMER_SOFTIRQ, \"TIMER\" })",
	 "TIMER"},
	{"\"%s %s\", __print_hex(REC->mac, 3), __print_hex_str(REC->mac, 3)", "01 02 03 010203"},
	{"\"%s\", __print_array(__get_dynamic_array(list), 2, 4)", "7 2147483649"},
	{"\"%s\", __get_bitmask(list)", "80000001,00000007"},
	{"\"%d\", ((u8 *)__get_dynamic_array(list))[0]", "7"},
	/* pointers */
	{"\"%p %p\", REC->b, (void *)0", "0xffffffff81000010 (nil)"},
	{"\"%pS %ps %pS\", REC->b, (void *)REC->b, 16", "startup+0x10 startup 0x10"},
	{"\"%pM %pm %pMF\", REC->mac, REC->mac, REC->mac",
	 "01:02:03:aa:bb:cc 010203aabbcc 01-02-03-aa-bb-cc"},
	{"\"%pI4 %pi4 %pI4\", REC->a, REC->a, REC->mac",
	 "253.255.255.255 253.255.255.255 INVALIDIPv4"},
	{"\"%pI6c %pI6\", REC->ip6, REC->ip6", "2001::1 2001:0000:0000:0000:0000:0000:0000:0001"},
	{"\"%pISpc\", REC->sock", "127.0.0.1:80"},
	{"\"%pU %pUL\", REC->ip6, REC->ip6",
	 "20010000-0000-0000-0000-000000000001 00000120-0000-0000-0000-000000000001"},
	{"\"%*phC\", 3, REC->mac", "01:02:03"},
	{"\"%s %s\", REC->text, REC->b", "a \\\"printk\\\" ffffffff81000010"},
	/* beyond us: the fields, one by one */
	{"\"%d\", jiffies_to_msecs(REC->a)", NULL},
	{"\"%d %d\", REC->a", NULL},
	{"\"%s\", ({ int x; x; })", NULL},
	{"\"%d\", (REC->a", NULL},
	{"\"%s\", __print_hex(REC->mac, 1 + 1)", NULL},
	{"\"%d", NULL},
	{"REC->a", NULL},
};

static const char all_fields[] =
	"[FAILED TO PARSE] a=-3 b=0xffffffff81000010 comm=swapper name=hello "
	"list=ARRAY[07, 00, 00, 00, 01, 00, 00, 80] mac=ARRAY[01, 02, 03, aa, bb, cc] "
	"pairs=ARRAY[01, 02, 04, 00] text=0x1234 "
	"sock=ARRAY[02, 00, 00, 50, 7f, 00, 00, 01, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, "
	"00, "
	"00, 00, 00, 00, 00, 00, 00, 00] "
	"ip6=ARRAY[20, 01, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 01]";

static const char printk[] = "0x1234 : \"a \\\"printk\\\"\"\n";

static void show(const char *print_fmt, const uint8_t *raw, size_t size, struct buf *out)
{
	struct tp_formats fs = {0};
	char *text = mem_printf("%s%s\n", fields, print_fmt);
	struct tp_text_options opts = {function_of, NULL};
	struct tp_text *t;

	assert_non_null(tp_formats_add(&fs, "sys", text, strlen(text), NULL));
	tp_formats_add_printks(&fs, printk, sizeof(printk) - 1);
	t = tp_text_new(&fs, &opts);
	buf_clear(out);
	assert_true(tp_text_show(t, 9, raw, size, 0, out));
	assert_false(tp_text_show(t, 10, raw, size, 0, out));
	tp_text_free(t);
	tp_formats_release(&fs);
	free(text);
}

static void print_formats_become_text(void **state)
{
	struct buf b = {0};
	uint8_t raw[128];
	int bad = 0;

	(void)state;
	make_raw(raw);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *want = rows[i].text ? rows[i].text : all_fields;

		show(rows[i].print_fmt, raw, sizeof(raw), &b);
		if (strcmp(buf_text(&b), want)) {
			print_error("%s became\n'%s' not\n'%s'\n", rows[i].print_fmt, buf_text(&b),
				    want);
			bad++;
		}
	}
	buf_release(&b);
	assert_int_equal(bad, 0);
}

/* Under a sanitizer this says that nothing outside the sample is read. */
static void samples_may_end_anywhere(void **state)
{
	struct buf b = {0};
	uint8_t raw[128];

	(void)state;
	make_raw(raw);
	for (size_t size = 0; size < sizeof(raw); size += 3) {
		uint8_t *cut = mem_alloc(size);

		memcpy(cut, raw, size);
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			show(rows[i].print_fmt, cut, size, &b);
		free(cut);
	}
	buf_release(&b);
}

static void formats_may_be_anything(void **state)
{
	static const char *const deep[] = {"(",	   "!", "1?",	"1+", "REC->a[", "__print_flags(",
					   "(u8)", "{", "1?1:", "a ", "\"a\" "};
	struct buf b = {0}, text = {0};
	uint8_t raw[128];

	(void)state;
	make_raw(raw);
	for (size_t i = 0; i < ARRAY_SIZE(deep); i++) {
		buf_clear(&text);
		buf_str(&text, "\"%d\", ");
		for (int n = 0; n < 20000; n++)
			buf_str(&text, deep[i]);
		show(buf_text(&text), raw, sizeof(raw), &b);
	}
	buf_release(&b);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(print_formats_become_text),
		cmocka_unit_test(samples_may_end_anywhere),
		cmocka_unit_test(formats_may_be_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
