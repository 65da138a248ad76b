// SPDX-License-Identifier: MIT
/* perf kvm stat live: what guests exit for, as it happens. */
#include "cmd/kvm/kvm_opts.h"
#include "cmd/options/opts_events.h"

#include "capture/session/source_live.h"
#include "os/machine/host.h"
#include "os/process/signals.h"
#include "os/rights/rights.h"
#include "os/terminal.h"
#include "os/tracing/tracefs.h"
#include "view/kvm.h"

#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define AT(field)    offsetof(struct kvm_opts, field)
#define CLEAR_SCREEN "\033[H\033[2J\n"

struct kvm_live {
	const struct kvm_opts *opts;
	struct live_source *source;
	struct kvm kvm;
	struct replay replay;
	struct out *out;
	struct terminal_keys keys;
	bool clears; /* each table replaces the one before on a terminal */
};

static const struct opt options[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(system_wide), NULL,
	 "system-wide collection from all CPUs (usual without -p)"},
	{OPT_UINT, 'd', "display", AT(delay_s), "n", "time in seconds between display updates"},
	{OPT_UINT, 0, "duration", AT(slow_us), "n",
	 "show events other than HLT (x86 only) or Wait state (s390 only) that take longer than "
	 "duration usecs"},
	{OPT_STRING, 'm', "mmap-pages", AT(ring), "pages", "number of mmap data pages"},
	{OPT_STRING, 'p', "pid", AT(filter.pids), "pid", "record events on existing process id"},
	{OPT_UINT, 0, "proc-map-timeout", AT(map_timeout), "n",
	 "of no effect: maps of processes are not read"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "be more verbose (show counter open errors, etc)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {kvm_event_opts, 0}, {0}};

static void kvm_live_tell(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stderr);
}

/* Adds the tracepoints that this kernel has. Where it has none, the error is that of the first. */
static int kvm_live_add_events(struct event_set *set, const struct config *config, struct err *err)
{
	struct event_source names;
	uint64_t id;
	int failed = event_source_open(&names, NULL, config, err);

	for (const struct kvm_tracepoint *t = kvm_tracepoints; !failed && t->name; t++) {
		AUTO_CHAR *name = mem_printf("%s:%s", t->system, t->name);
		const char *root = names.host.tracefs_root;

		if (root && !tracefs_id(root, t->system, t->name, &id, NULL))
			failed = event_parse(set, name, &names.host, err);
	}
	if (!failed && !set->events.n)
		failed = event_parse(set, "kvm:kvm_entry", &names.host, err);
	event_source_release(&names);
	return failed;
}

static int kvm_live_open(struct kvm_live *l, const struct env *env, struct err *err)
{
	const struct kvm_opts *o = l->opts;
	struct session_options s = {
		.target = {.pids = o->filter.pids, .system_wide = !o->filter.pids},
		.sampling = {.period = 1,
			     .inherit = true,
			     .raw = true,
			     .time = YES,
			     .cpu = true,
			     .system_wide = !o->filter.pids},
		.synth = {.tasks = true,
			  .map_timeout_ms = o->map_timeout,
			  .proc_root = "/proc",
			  .sys_root = "/sys"},
		.debug = {.put = o->verbose ? kvm_live_tell : NULL},
	};

	s.sampling.max_frequency =
		(uint64_t)rights_sysctl("/proc", "perf_event_max_sample_rate", 0);
	if (kvm_live_add_events(&l->source->m.events, env->config, err) ||
	    (o->ring && value_ring(o->ring, &s.rings.ring_size, &s.sampling.aux_size, err)))
		return -1;
	return live_source_open(l->source, &s, kvm_live_tell, NULL, err);
}

/* Exits that wait for an interrupt take as long as nothing happens. */
static bool kvm_live_is_idle(const char *name)
{
	return !strcasecmp(name, "HLT") || !strcmp(name, "Wait state");
}

static void kvm_live_tell_slow(void *ctx, const struct kvm_slow *slow)
{
	struct kvm_live *l = ctx;
	AUTO_BUF text = {0};
	const char *name;

	kvm_key_text(&l->kvm, slow->key, slow->info, &text);
	name = buf_text(&text);
	if (kvm_live_is_idle(name))
		return;
	buf_printf(&l->out->buf, "%llu VM %d, vcpu %d: %s event took %lluusec\n",
		   (unsigned long long)slow->time, (int)slow->pid, (int)slow->vcpu, name,
		   (unsigned long long)slow->ns / 1000);
}

static void kvm_live_show(struct kvm_live *l)
{
	struct timeval now;
	struct tm local;
	char text[16];

	kvm_sum(&l->kvm);
	if (l->clears)
		buf_str(&l->out->buf, CLEAR_SCREEN);
	gettimeofday(&now, NULL);
	if (localtime_r(&now.tv_sec, &local) && strftime(text, sizeof(text), "%H:%M:%S", &local))
		buf_printf(&l->out->buf, "%s.%06ld", text, (long)now.tv_usec);
	kvm_show(&l->kvm, l->opts->filter.pids, l->out);
	out_flush(l->out);
	kvm_zero(&l->kvm);
}

static void kvm_live_read_key(struct session *s)
{
	char key;
	ssize_t n = read(STDIN_FILENO, &key, 1);

	s->input_ready = false;
	if (n <= 0)
		session_unwatch_input(s);
	s->stop |= n > 0 && key == 'q';
}

/* Shows a table at each delay, and one of what came after the last of them. */
static int kvm_live_loop(struct kvm_live *l, struct err *err)
{
	const uint64_t delay_ms = l->opts->delay_s * 1000ull;
	struct session *s = &l->source->session;
	uint64_t due = session_now_ms() + delay_ms;
	struct record r;
	int got;

	while ((got = live_source_next(l->source, due, &r, err)) >= 0) {
		if (got) {
			if (replay_add(&l->replay, &r) < 0)
				return -1;
			continue;
		}
		if (s->input_ready)
			kvm_live_read_key(s);
		if (s->stop || session_now_ms() >= due) {
			kvm_live_show(l);
			due += delay_ms;
		}
		if (s->stop || l->out->failed)
			return 0;
	}
	return -1;
}

static int kvm_live_watch(struct kvm_live *l, struct err *err)
{
	const struct symbol_options none = {0};
	AUTO(world) *world = world_new(&l->source->m, &none);
	struct session *s = &l->source->session;
	int failed;

	world_present_only(world);
	replay_init_live(&l->replay, &l->source->m, world, &kvm_analysis, &l->kvm);
	l->replay.err = err;
	if (session_watch_input(s, STDIN_FILENO))
		terminal_keys_begin(&l->keys, STDIN_FILENO);
	failed = kvm_live_loop(l, err);
	live_source_stop(l->source);
	terminal_keys_end(&l->keys);
	out_flush(l->out);
	replay_release(&l->replay);
	if (l->source->lost_samples)
		fprintf(stderr,
			"perf: %llu events were lost: the times of %llu exits may be wrong "
			"(-m 4096 gives more room)\n",
			(unsigned long long)l->source->lost_samples,
			(unsigned long long)l->kvm.uncertain);
	return failed;
}

static int kvm_live_begin(struct kvm_live *l, const struct kvm_options *how, struct err *err)
{
	struct host host;
	int failed;

	host_read(&host, "/proc", "/sys");
	failed = kvm_init(&l->kvm, how, host.arch, host.cpuid, err);
	host_release(&host);
	return failed;
}

static int cmd_kvm_live_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct kvm_opts *o = v;
	AUTO(live_source) *source = live_source_new();
	struct kvm_live l = {.opts = o, .source = source, .out = env->out};
	struct kvm_options how;
	int failed;

	if (argc)
		return err_set(err, ERR_USAGE, "kvm stat live takes no argument: '%s'", argv[0]);
	if (kvm_configure(o, &how, err))
		return -1;
	if (!o->delay_s)
		return err_set(err, ERR_USAGE, "-d is at least one second");
	if (o->system_wide && o->filter.pids)
		return err_set(err, ERR_USAGE, "-a and -p exclude each other");
	how.slow = o->slow_us ? kvm_live_tell_slow : NULL;
	how.slow_ctx = &l;
	how.slow_ns = o->slow_us * 1000ull;
	l.clears = terminal_is(STDOUT_FILENO);
	failed = kvm_live_begin(&l, &how, err);
	if (!failed)
		failed = kvm_live_open(&l, env, err);
	if (!failed)
		failed = kvm_live_watch(&l, err);
	kvm_release(&l.kvm);
	if (failed)
		return -1;
	signals_die(source->session.signal, false);
	return 0;
}

static const char *const usage[] = {"kvm stat live [<options>]", NULL};

const struct cmd cmd_kvm_stat_live = {
	.name = "live",
	.usage = usage,
	.groups = groups,
	.run = cmd_kvm_live_run,
};
