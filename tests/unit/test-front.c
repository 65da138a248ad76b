// SPDX-License-Identifier: MIT
/* Options, patterns, configuration and worker threads. */
#include "unit.h"

#include "base/config/config.h"
#include "base/options/options.h"
#include "base/pool.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct inner {
	bool deep;
	unsigned int width;
};
struct typed {
	bool group, no_inherit, freq, freq_given;
	int verbose, delay;
	uint64_t size;
	double limit;
	const char *input, *chain;
	struct opt_strings events;
	struct inner inner;
	long called;
	bool called_unset;
};

static int call(void *place, const struct opt *opt, const char *value, bool unset, struct err *err)
{
	struct typed *t = place;

	if (value && !strcmp(value, "bad"))
		return err_set(err, ERR_USAGE, "no such thing");
	t->called = opt->value;
	t->called_unset = unset;
	return 0;
}

#define AT(field) offsetof(struct typed, field)

static const struct opt opts[] = {
	{OPT_BOOL, 'g', "group", AT(group), NULL, "group them"},
	{OPT_BOOL, 'i', "no-inherit", AT(no_inherit), NULL, "no children"},
	{OPT_BOOL, 'F', "freq", AT(freq), NULL, "frequency", .given_offset = AT(freq_given)},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say more"},
	{OPT_INT, 'D', "delay", AT(delay), "ms", "wait"},
	{OPT_U64, 0, "max-size", AT(size), "size", "limit the file", OPT_SIZE},
	{OPT_DOUBLE, 0, "percent-limit", AT(limit), "percent", "hide what is under it"},
	{OPT_STRING, 0, "input", AT(input), "file", "file name"},
	{OPT_STRING, 'z', "chain", AT(chain), "mode", "chains", OPT_OPTIONAL, "fp"},
	{OPT_STRINGS, 'e', "event", AT(events), "event", "select"},
	{OPT_CALL, 'c', "call", 0, "what", "is called", .value = 7, .call = call},
	{OPT_END},
};
static const struct opt inner_opts[] = {
	{OPT_BOOL, 0, "deep", offsetof(struct inner, deep), NULL, "inner", OPT_NO_NEGATE},
	{OPT_UINT, 'w', "width", offsetof(struct inner, width), "n", "columns"},
	{OPT_END},
};
static const struct opt_group groups[] = {{opts, 0}, {inner_opts, AT(inner)}, {0}};

#define PARSE(t, p, err, stop, ...)                                                                \
	({                                                                                         \
		static char *argv_[] = {(char *)"x", __VA_ARGS__, NULL};                           \
		memset(t, 0, sizeof(*(t)));                                                        \
		memset(err, 0, sizeof(*(err)));                                                    \
		*(p) = (struct opt_parse){.groups = groups, .base = (t), .stop_at_word = (stop)};  \
		opt_parse(p, (int)ARRAY_SIZE(argv_) - 1, argv_, err);                              \
	})
#define S(text) ((char *)(text))

static void options_fill_the_commands_struct(void **state)
{
	struct typed t;
	struct opt_parse p;
	struct err err;

	(void)state;
	assert_int_equal(PARSE(&t, &p, &err, false, S("one"), S("-vgv"), S("--max-size=2K"),
			       S("two"), S("-D-5"), S("-e"), S("a"), S("--event"), S("b"), S("-ec"),
			       S("--freq"), S("--percent-limit"), S("0.5"), S("-w080"),
			       S("--input"), S("-"), S("--"), S("-x")),
			 OPT_OK);
	assert_true(t.group && t.freq && t.freq_given && !t.no_inherit);
	assert_int_equal(t.verbose, 2);
	assert_int_equal(t.delay, -5);
	assert_int_equal(t.size, 2048);
	assert_true(t.limit == 0.5);
	assert_int_equal(t.inner.width, 80);
	assert_string_equal(t.input, "-");
	assert_int_equal(t.events.n, 3);
	assert_string_equal(t.events.at[2], "c");
	assert_int_equal(p.n_words, 3);
	assert_string_equal(p.words[0], "one");
	assert_string_equal(p.words[1], "two");
	assert_string_equal(p.words[2], "-x");
	assert_null(p.words[3]);
	vec_release(&t.events);
}

static void a_value_may_be_left_out_only_where_it_can(void **state)
{
	struct typed t;
	struct opt_parse p;
	struct err err;

	(void)state;
	assert_int_equal(PARSE(&t, &p, &err, false, S("--chain"), S("word")), OPT_OK);
	assert_string_equal(t.chain, "fp");
	assert_int_equal(p.n_words, 1);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--chain=dwarf")), OPT_OK);
	assert_string_equal(t.chain, "dwarf");
	assert_int_equal(PARSE(&t, &p, &err, false, S("-zlbr")), OPT_OK);
	assert_string_equal(t.chain, "lbr");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--input")), OPT_FAILED);
	assert_string_equal(err.text, "option 'input' requires a value");
	assert_ptr_equal(p.wrong->name, opts[7].name);
	assert_int_equal(PARSE(&t, &p, &err, false, S("-e")), OPT_FAILED);
	assert_string_equal(err.text, "switch 'e' requires a value");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--group=1")), OPT_FAILED);
	assert_string_equal(err.text, "option 'group' takes no value");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--delay=4x")), OPT_FAILED);
	assert_string_equal(err.text, "option 'delay' expects a number");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--delay=4000000000")), OPT_FAILED);
	assert_int_equal(PARSE(&t, &p, &err, false, S("-w-1")), OPT_FAILED);
}

static void what_is_said_can_be_unsaid(void **state)
{
	struct typed t;
	struct opt_parse p;
	struct err err;

	(void)state;
	assert_int_equal(PARSE(&t, &p, &err, false, S("-gvvi"), S("--no-group"), S("--no-verbose"),
			       S("--inherit")),
			 OPT_OK);
	assert_true(!t.group && !t.verbose && !t.no_inherit);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--no-inherit")), OPT_OK);
	assert_true(t.no_inherit);
	assert_int_equal(PARSE(&t, &p, &err, false, S("-i"), S("--no-no-inherit")), OPT_OK);
	assert_true(!t.no_inherit);
	assert_int_equal(PARSE(&t, &p, &err, false, S("-e"), S("a"), S("--no-event")), OPT_OK);
	assert_int_equal(t.events.n, 0);
	vec_release(&t.events);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--no-call")), OPT_OK);
	assert_true(t.called == 7 && t.called_unset);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--no-deep")), OPT_FAILED);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--no-group=1")), OPT_FAILED);
	assert_string_equal(err.text, "option 'no-group' takes no value");
}

static void a_prefix_means_one_thing_or_none(void **state)
{
	struct typed t;
	struct opt_parse p;
	struct err err;

	(void)state;
	assert_int_equal(PARSE(&t, &p, &err, false, S("--gro"), S("--max=1")), OPT_OK);
	assert_true(t.group && t.size == 1);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--de")), OPT_FAILED);
	assert_string_equal(err.text, "ambiguous option 'de' (could be --delay or --deep)");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--no-gr")), OPT_OK);
	assert_true(!t.group);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--evnet=x")), OPT_FAILED);
	assert_string_equal(err.text, "unknown option 'evnet'");
	assert_string_equal(err.hint, "did you mean '--event'?");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--zzzzzzzz")), OPT_FAILED);
	assert_string_equal(err.hint, "");
	assert_int_equal(PARSE(&t, &p, &err, false, S("-gQ")), OPT_FAILED);
	assert_string_equal(err.text, "unknown switch 'Q'");
	assert_int_equal(PARSE(&t, &p, &err, false, S("-c"), S("bad")), OPT_FAILED);
	assert_string_equal(err.text, "no such thing");
	assert_int_equal(err.code, ERR_USAGE);
}

static void a_word_ends_options_where_a_command_follows(void **state)
{
	struct typed t;
	struct opt_parse p;
	struct err err;

	(void)state;
	assert_int_equal(PARSE(&t, &p, &err, true, S("-g"), S("ls"), S("-v"), S("--"), S("x")),
			 OPT_OK);
	assert_true(t.group && !t.verbose);
	assert_int_equal(p.n_words, 4);
	assert_string_equal(p.words[2], "--");
	assert_int_equal(PARSE(&t, &p, &err, true, S("-g"), S("--"), S("-ls")), OPT_OK);
	assert_int_equal(p.n_words, 1);
	assert_int_equal(PARSE(&t, &p, &err, false, S("-h"), S("freq")), OPT_HELP);
	assert_string_equal(p.help_word, "freq");
	assert_int_equal(PARSE(&t, &p, &err, false, S("--help")), OPT_HELP);
	assert_null(p.help_word);
	assert_int_equal(PARSE(&t, &p, &err, false, S("--list-opts")), OPT_LIST);
}

static void a_variable_sets_what_an_option_sets(void **state)
{
	struct typed t = {.freq = true};
	struct err err = {0};

	(void)state;
	assert_int_equal(opt_set(groups, &t, "max-size", "3M", &err), 0);
	assert_int_equal(opt_set(groups, &t, "group", "yes", &err), 0);
	assert_int_equal(opt_set(groups, &t, "freq", "false", &err), 0);
	assert_true(t.size == 3 << 20 && t.group && !t.freq && !t.freq_given);
	assert_int_equal(opt_set(groups, &t, "group", "3x", &err), -1);
	assert_string_equal(err.text, "'3x' is neither yes nor no");
	assert_int_equal(opt_set(groups, &t, "percent-limit", "x", &err), -1);
	assert_int_equal(opt_set(groups, &t, "nonsense", "x", &err), -1);
	assert_int_equal(opt_set(groups, &t, "call", "bad", &err), -1);
	assert_string_equal(err.text, "no such thing");
}

static void help_is_laid_out_as_perf_does(void **state)
{
	struct buf b = {0};

	(void)state;
	opt_help(groups, NULL, &b);
	assert_string_equal(buf_text(&b),
			    "    -c, --call <what>     is called\n"
			    "    -D, --delay <ms>      wait\n"
			    "    -e, --event <event>   select\n"
			    "    -F, --freq            frequency\n"
			    "    -g, --group           group them\n"
			    "    -i, --no-inherit      no children\n"
			    "    -v, --verbose         say more\n"
			    "    -w, --width <n>       columns\n"
			    "    -z, --chain[=<mode>]  chains\n"
			    "        --deep            inner\n"
			    "        --input <file>    file name\n"
			    "        --max-size <size>\n"
			    "                          limit the file\n"
			    "        --percent-limit <percent>\n"
			    "                          hide what is under it\n");
	buf_clear(&b);
	opt_help(groups, "name", &b);
	assert_string_equal(buf_text(&b), "        --input <file>    file name\n");
	buf_clear(&b);
	opt_list(inner_opts == groups[1].opts ? groups + 1 : groups, &b);
	assert_string_equal(buf_text(&b), "--deep --width ");
	buf_release(&b);
}

static void list_modes(struct buf *out)
{
	buf_word(out, "fp");
	buf_word(out, "dwarf");
}

static const struct opt word_opts[] = {
	{OPT_STRING, 'm', "mode", AT(chain), "mode[,mode]", "one of:", .words = "none any",
	 .list = list_modes, .joined = ","},
	{OPT_STRING, 's', "sort", AT(input), "key", "by keys, all of them",
	 .words = "first second"},
	{OPT_END},
};
static const struct opt_group word_groups[] = {{word_opts, 0}, {0}};

static void words_follow_a_help_that_ends_with_a_colon(void **state)
{
	struct buf b = {0};

	(void)state;
	opt_help(word_groups, NULL, &b);
	assert_string_equal(buf_text(&b), "    -m, --mode <mode[,mode]>\n"
					  "                          one of:\n"
					  "                          none any fp dwarf\n"
					  "    -s, --sort <key>      by keys, all of them\n");
	buf_clear(&b);
	opt_words(&word_opts[0], &b);
	assert_string_equal(buf_text(&b), "none any fp dwarf");
	buf_release(&b);
}

#define PLACE(at, stop, ...)                                                                       \
	({                                                                                         \
		static char *argv_[] = {(char *)"x", __VA_ARGS__, NULL};                           \
		opt_find_place(groups, stop, (int)ARRAY_SIZE(argv_) - 1, argv_, at);               \
		(at)->kind;                                                                        \
	})

static void the_last_word_is_a_name_a_value_or_a_word(void **state)
{
	struct opt_place at;

	(void)state;
	assert_int_equal(PLACE(&at, false, S("-v"), S("--ev")), OPT_PLACE_NAME);
	assert_int_equal(PLACE(&at, false, S("-")), OPT_PLACE_NAME);
	assert_int_equal(PLACE(&at, false, S("--")), OPT_PLACE_NAME);
	assert_int_equal(PLACE(&at, false, S("-e")), OPT_PLACE_NAME);
	assert_int_equal(PLACE(&at, false, S("-e"), S("cyc")), OPT_PLACE_VALUE);
	assert_string_equal(at.opt->name, "event");
	assert_string_equal(at.value, "cyc");
	assert_int_equal(PLACE(&at, false, S("-gve"), S("")), OPT_PLACE_VALUE);
	assert_string_equal(at.value, "");
	assert_int_equal(PLACE(&at, false, S("-gecyc")), OPT_PLACE_VALUE);
	assert_string_equal(at.value, "cyc");
	assert_int_equal(PLACE(&at, false, S("--event=a,b")), OPT_PLACE_VALUE);
	assert_string_equal(at.value, "a,b");
	assert_int_equal(PLACE(&at, false, S("--even"), S("-x")), OPT_PLACE_VALUE);
	assert_int_equal(PLACE(&at, false, S("--width="), S("-x")), OPT_PLACE_NAME);
	/* optional values don't come from the next word */
	assert_int_equal(PLACE(&at, false, S("--chain"), S("f")), OPT_PLACE_WORD);
	assert_int_equal(at.word, 2);
	assert_int_equal(PLACE(&at, false, S("--chain=f")), OPT_PLACE_VALUE);
	assert_int_equal(PLACE(&at, false, S("--group"), S("f"), S("g")), OPT_PLACE_WORD);
	assert_int_equal(at.word, 2);
	assert_int_equal(
		PLACE(&at, false, S("f"), S("-D"), S("1"), S("--nonsense"), S("-Q"), S("-")),
		OPT_PLACE_NAME);
	assert_int_equal(at.word, 1);
	assert_int_equal(PLACE(&at, false, S("--"), S("-D"), S("1")), OPT_PLACE_WORD);
	assert_int_equal(at.word, 2);
	assert_int_equal(PLACE(&at, true, S("-D"), S("1"), S("ls"), S("-e")), OPT_PLACE_WORD);
	assert_int_equal(at.word, 3);
	assert_int_equal(PLACE(&at, true, S("--"), S("-ls")), OPT_PLACE_WORD);
	assert_int_equal(at.word, 2);
}

static void numbers_are_taken_whole_or_not_at_all(void **state)
{
	uint64_t v = 1;
	bool yes = false;

	(void)state;
	assert_true(!parse_u64("18446744073709551615", &v) && v == UINT64_MAX);
	assert_true(!parse_u64("0x1F", &v) && v == 31);
	assert_true(!parse_u64("010", &v) && v == 8);
	assert_true(parse_u64("18446744073709551616", &v) && parse_u64("-1", &v) &&
		    parse_u64(" 1", &v) && parse_u64("", &v) && parse_u64("1 ", &v) && v == 8);
	assert_true(!parse_size("3", &v) && v == 3 && !parse_size("3B", &v) && v == 3);
	assert_true(!parse_size("2k", &v) && v == 2048 && !parse_size("2MB", &v) && v == 2 << 20);
	assert_true(!parse_size("1G", &v) && v == 1 << 30);
	assert_true(parse_size("17179869184G", &v) && parse_size("1X", &v) && parse_size("K", &v) &&
		    parse_size("1KK", &v));
	assert_true(!parse_time_ns("12.345678", &v) && v == 12345678000);
	assert_true(!parse_time_ns("7", &v) && v == 7000000000);
	assert_true(!parse_time_ns("0.0000000019", &v) && v == 1);
	assert_true(parse_time_ns("1.x", &v) && parse_time_ns("99999999999", &v) &&
		    parse_time_ns("-1", &v));
	assert_true(!parse_short_time("7", &v) && v == 7 && !parse_short_time("3us", &v) &&
		    v == 3000 && !parse_short_time("10ms", &v) && v == 10000000);
	assert_true(parse_short_time("1s", &v) && parse_short_time("-1", &v) &&
		    parse_short_time("us", &v) && parse_short_time("18446744073710ms", &v));
	assert_true(!parse_bool("YES", &yes) && yes && !parse_bool("off", &yes) && !yes &&
		    parse_bool("2", &yes));
}

static void names_near_a_word_are_found(void **state)
{
	static const char *const names[] = {"record", "report", "script", "evlist"};

	(void)state;
	assert_string_equal(nearest_name("reprot", names, 4), "report");
	assert_string_equal(nearest_name("recrd", names, 4), "record");
	assert_string_equal(nearest_name("scr", names, 4), "script");
	assert_string_equal(nearest_name("evlsit", names, 4), "evlist");
	assert_null(nearest_name("annotate", names, 4));
	assert_null(nearest_name("x", names, 4));
}

static void patterns_match_as_a_shells(void **state)
{
	(void)state;
	assert_true(glob_match("sched_*", "sched_switch"));
	assert_true(glob_match("*_*_*", "a_b_c") && !glob_match("*_*_*", "a_b"));
	assert_true(glob_match("s?s", "sys") && !glob_match("s?s", "ss"));
	assert_true(glob_match("[a-c]x", "bx") && !glob_match("[!a-c]x", "bx"));
	assert_true(glob_match("", "") && !glob_match("", "a") && glob_match("***", ""));
	assert_true(glob_match("a[", "a[") && glob_match("[]]", "]") && glob_match("\\*", "*"));
	assert_true(!glob_match("\\*", "x"));
	/* would not end if it tried every way */
	assert_false(glob_match(
		"a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void configuration_is_read(void **state)
{
	static const char text[] = "# all of it\n"
				   "[colors]\n"
				   "\ttop = red, default ; why\n"
				   "[report]\n"
				   "  percent-limit=3\n"
				   "  children\n"
				   "[section \"sub.name\"] key = \"a # b\" \n"
				   "[colors] top = blue\n"
				   "normal = a \\\n  b\n";
	struct config c = {0};
	struct err err = {0};

	(void)state;
	assert_int_equal(config_parse(&c, text, sizeof(text) - 1, "x", &err), 0);
	assert_int_equal(c.vars.n, 5);
	assert_string_equal(config_find(&c, "colors.top"), "blue");
	assert_string_equal(c.vars.at[1].key, "colors.normal");
	assert_string_equal(c.vars.at[1].value, "a   b");
	assert_int_equal(config_int(&c, "report.percent-limit", 0), 3);
	assert_true(config_bool(&c, "report.children", false));
	assert_true(config_bool(&c, "report.percent-limit", true));
	assert_string_equal(config_find(&c, "section.sub.name.key"), "a # b");
	assert_null(config_find(&c, "colors.none"));
	assert_int_equal(config_parse(&c, "[a]\nb=1\n=\n", 10, "file", &err), -1);
	assert_string_equal(err.text, "bad config file line 3 in 'file'");
	assert_string_equal(config_find(&c, "a.b"), "1");
	assert_int_equal(config_parse(&c, "[a]b=\"x", 7, "file", &err), -1);
	assert_int_equal(config_parse(&c, "b=1", 3, "file", &err), -1);
	assert_int_equal(config_parse(&c, "[a", 2, "file", &err), -1);
	config_release(&c);
}

static void expect_file(const char *path, const char *want)
{
	char got[512] = {0};
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(fread(got, 1, sizeof(got) - 1, f) > 0);
	fclose(f);
	assert_string_equal(got, want);
}

static void a_variable_is_set_and_the_rest_stays(void **state)
{
	char folder[] = "/tmp/perf-config-XXXXXX";
	char path[64];
	struct err err = {0};
	struct config c = {0};

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/config", folder);
	assert_int_equal(config_write(path, "a.x", "1", &err), 0);
	expect_file(path, "[a]\n\tx = 1\n");
	assert_int_equal(config_write(path, "b.more.y", "two # words", &err), 0);
	assert_int_equal(config_write(path, "a.z", "3", &err), 0);
	assert_int_equal(config_write(path, "a.x", "4", &err), 0);
	expect_file(path, "[a]\n\tx = 4\n\tz = 3\n[b \"more\"]\n\ty = \"two # words\"\n");
	assert_int_equal(config_read(&c, path, &err), 0);
	assert_string_equal(config_find(&c, "b.more.y"), "two # words");
	config_release(&c);
	unlink(path);
	assert_int_equal(config_read(&c, path, &err), 0);
	assert_int_equal(c.vars.n, 0);
	rmdir(folder);
	assert_int_equal(config_write(path, "a.x", "1", &err), -1);
}

/* Under sudo, a user's home may hold anything. */
static void a_fifo_for_a_configuration_holds_nobody_up(void **state)
{
	char folder[] = "/tmp/perf-test-XXXXXX", path[64], text[] = "[a]\n\tx = 7\n";
	struct err err = {0};
	struct config c = {0};
	int writer;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/config", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	alarm(10);
	assert_int_equal(config_read(&c, path, &err), 0);
	assert_int_equal(c.vars.n, 0);
	/* with a writer that waits it is a text */
	writer = open(path, O_RDWR);
	assert_true(write(writer, text, strlen(text)) == (ssize_t)strlen(text));
	assert_int_equal(config_read(&c, path, &err), -1);
	assert_non_null(strstr(err.text, "cannot read the configuration"));
	close(writer);
	/* not a byte of another user's is read */
	writer = open(path, O_RDWR);
	assert_true(write(writer, text, strlen(text)) == (ssize_t)strlen(text));
	if (!chown(path, 12345, -1))
		assert_int_equal(config_read(&c, path, &err), 0);
	assert_int_equal(c.vars.n, 0);
	alarm(0);
	close(writer);
	config_release(&c);
	unlink(path);
	rmdir(folder);
}

struct sums {
	unsigned int seen[1000];
	unsigned long worker[3];
};

static void add_one(void *ctx, size_t i, unsigned int worker)
{
	struct sums *s = ctx;

	s->seen[i]++;
	s->worker[worker]++;
}

static void workers_do_each_thing_once(void **state)
{
	static const unsigned int sizes[] = {1, 3};

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		struct pool *p = pool_new(sizes[k]);

		assert_int_equal(pool_size(p), sizes[k]);
		for (unsigned int round = 0; round < 50; round++) {
			struct sums s = {0};

			pool_for(p, 1000, add_one, &s);
			for (size_t i = 0; i < 1000; i++)
				assert_int_equal(s.seen[i], 1);
			assert_int_equal(s.worker[0] + s.worker[1] + s.worker[2], 1000);
			pool_for(p, 0, add_one, &s);
			assert_int_equal(s.seen[0], 1);
		}
		pool_free(p);
	}
	assert_true(pool_size(NULL) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_fill_the_commands_struct),
		cmocka_unit_test(a_value_may_be_left_out_only_where_it_can),
		cmocka_unit_test(what_is_said_can_be_unsaid),
		cmocka_unit_test(a_prefix_means_one_thing_or_none),
		cmocka_unit_test(a_word_ends_options_where_a_command_follows),
		cmocka_unit_test(a_variable_sets_what_an_option_sets),
		cmocka_unit_test(help_is_laid_out_as_perf_does),
		cmocka_unit_test(words_follow_a_help_that_ends_with_a_colon),
		cmocka_unit_test(the_last_word_is_a_name_a_value_or_a_word),
		cmocka_unit_test(numbers_are_taken_whole_or_not_at_all),
		cmocka_unit_test(names_near_a_word_are_found),
		cmocka_unit_test(patterns_match_as_a_shells),
		cmocka_unit_test(configuration_is_read),
		cmocka_unit_test(a_variable_is_set_and_the_rest_stays),
		cmocka_unit_test(a_fifo_for_a_configuration_holds_nobody_up),
		cmocka_unit_test(workers_do_each_thing_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
