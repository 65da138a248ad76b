// SPDX-License-Identifier: MIT
/* perf daemon: recordings in the background, as the configuration defines them. */
#include "cmd/cmd.h"

#include "capture/daemon/daemon.h"

#include <string.h>

struct daemon_opts {
	struct daemon_options daemon;
	const char *separator, *session;
	int verbose;
};

#define AT(field) offsetof(struct daemon_opts, field)

static const struct opt options[] = {
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "be more verbose"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "field separator",
	 "print counts with custom separator", OPT_OPTIONAL, .missing = ","},
	{OPT_STRING, 0, "base", AT(daemon.base), "directory", "base directory"},
	{OPT_STRING, 'c', "config", AT(daemon.config), "config file", "config file path"},
	{OPT_END},
};
static const struct opt start_options[] = {
	{OPT_BOOL, 'f', "foreground", AT(daemon.foreground), NULL, "stay on console"},
	{OPT_END},
};
static const struct opt signal_options[] = {
	{OPT_STRING, 0, "session", AT(session), "session", "Sent signal to specific session"},
	{OPT_END},
};
static const struct opt ping_options[] = {
	{OPT_STRING, 0, "session", AT(session), "session", "Ping to specific session"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};
static const struct opt_group start_groups[] = {{options, 0}, {start_options, 0}, {0}};
static const struct opt_group signal_groups[] = {{options, 0}, {signal_options, 0}, {0}};
static const struct opt_group ping_groups[] = {{options, 0}, {ping_options, 0}, {0}};

static int refuse_words(int argc, char **argv, struct err *err)
{
	return argc ? err_set(err, ERR_USAGE, "too many words: '%s'", argv[0]) : 0;
}

static int ask(struct env *env, const struct daemon_opts *o, const char *verb, const char *argument,
	       struct err *err)
{
	struct arena arena = {0};
	const char *base;
	int answer = -1;

	if (strchr(argument, '\n'))
		return err_set(err, ERR_USAGE, "more than one line: '%s'", argument);
	base = daemon_base(&o->daemon, &arena, err);
	if (base)
		answer = daemon_call(base, verb, argument, &env->out->buf, err);
	arena_release(&arena);
	return answer > 0 ? EXIT_FAILED : answer;
}

static int run_list(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct daemon_opts *o = v;
	AUTO_BUF how = {0};

	if (argc)
		return err_set(err, ERR_USAGE, "daemon has no '%s': start, stop, signal and ping",
			       argv[0]);
	if (o->separator)
		buf_printf(&how, ",%s", o->separator);
	else if (o->verbose)
		buf_char(&how, 'v');
	return ask(env, o, "list", buf_text(&how), err);
}

static int run_start(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct daemon_opts *o = v;

	(void)env;
	return refuse_words(argc, argv, err) ? -1 : daemon_serve(&o->daemon, err);
}

static int run_stop(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	return refuse_words(argc, argv, err) ? -1 : ask(env, v, "stop", "", err);
}

static int run_signal(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct daemon_opts *o = v;

	return refuse_words(argc, argv, err)
		       ? -1
		       : ask(env, o, "signal", o->session ? o->session : "", err);
}

static int run_ping(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct daemon_opts *o = v;

	return refuse_words(argc, argv, err)
		       ? -1
		       : ask(env, o, "ping", o->session ? o->session : "", err);
}

static const char *const usage[] = {"daemon {start|stop|signal|ping} [<options>]",
				    "daemon [<options>]", NULL};
static const char *const start_usage[] = {"daemon start [<options>]", NULL};
static const char *const stop_usage[] = {"daemon stop [<options>]", NULL};
static const char *const signal_usage[] = {"daemon signal [<options>]", NULL};
static const char *const ping_usage[] = {"daemon ping [<options>]", NULL};

#define SUBCOMMAND(word, its_groups)                                                               \
	static const struct cmd cmd_daemon_##word = {                                              \
		.name = #word,                                                                     \
		.usage = word##_usage,                                                             \
		.groups = its_groups,                                                              \
		.opts_size = sizeof(struct daemon_opts),                                           \
		.run = run_##word,                                                                 \
	}
SUBCOMMAND(start, start_groups);
SUBCOMMAND(stop, groups);
SUBCOMMAND(signal, signal_groups);
SUBCOMMAND(ping, ping_groups);

static const struct cmd *const subcommands[] = {&cmd_daemon_start, &cmd_daemon_stop,
						&cmd_daemon_signal, &cmd_daemon_ping, NULL};

const struct cmd cmd_daemon = {
	.name = "daemon",
	.summary = "Run record sessions on background",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct daemon_opts),
	.stop_at_word = true,
	.words = "start stop signal ping",
	.subcommands = subcommands,
	.run = run_list,
};
