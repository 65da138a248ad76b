// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include "os/rights/rights.h"
#include "selftest/doctor.h"

#include <sys/utsname.h>
#include <unistd.h>

static const struct opt options[] = {{OPT_END}};
static const struct opt_group groups[] = {{options, 0}, {0}};

static void show_machine(struct buf *out)
{
	struct utsname u = {0};

	uname(&u);
	buf_printf(out, "# perf " PERF_VERSION " on Linux %s, %s, as %s\n", u.release, u.machine,
		   geteuid() ? "a user" : "root");
	buf_printf(out, "# kernel.perf_event_paranoid %d, kernel.kptr_restrict %d%s%s\n",
		   rights_paranoid("/proc"), rights_kptr_restrict("/proc"),
		   rights_perfmon("/proc") ? ", CAP_PERFMON" : "",
		   rights_confined("/proc") ? ", a seccomp filter" : "");
}

static void show_finding(const struct finding *x, struct buf *out)
{
	static const char *const states[] = {"works", "no", "costs"};

	buf_printf(out, "%-34s: %s", x->what, states[x->state]);
	if (*x->why) {
		buf_str(out, ": ");
		buf_safe(out, x->why);
	}
	buf_char(out, '\n');
	if (*x->change) {
		buf_fill(out, ' ', 36);
		buf_safe(out, x->change);
		buf_char(out, '\n');
	}
}

static int run_doctor(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct buf *out = &env->out->buf;
	struct findings f = {0};
	bool basic;

	(void)opts;
	if (argc)
		return err_set(err, ERR_USAGE, "doctor takes no argument: '%s'", argv[0]);
	doctor_find(&f, "/proc");
	show_machine(out);
	for (size_t i = 0; i < f.n; i++)
		if (f.at[i].state != FINDING_COSTS)
			show_finding(&f.at[i], out);
	buf_str(out, "\n# set up, and costs time or counters now\n");
	for (size_t i = 0; i < f.n; i++)
		if (f.at[i].state == FINDING_COSTS)
			show_finding(&f.at[i], out);
	if (!f.n || vec_last(&f)->state != FINDING_COSTS)
		buf_str(out, "nothing\n");
	/* the first finding is the one that every recording needs */
	basic = f.n && f.at[0].state == FINDING_WORKS;
	vec_release(&f);
	return basic ? 0 : 1;
}

static const char *const usage[] = {"doctor", NULL};

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "Say what works here, and what would change the rest",
	.usage = usage,
	.groups = groups,
	.words = "",
	.run = run_doctor,
};
