// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include "os/tracing/tracefs.h"
#include "selftest/doctor/doctor.h"
#include "view/out/json.h"

#include <sys/utsname.h>
#include <unistd.h>

struct doctor_opts {
	bool json;
};

static const struct opt options[] = {
	{OPT_BOOL, 'j', "json", offsetof(struct doctor_opts, json), NULL, "show JSON"},
	{OPT_END},
};
static const struct opt_group groups[] = {{options, 0}, {0}};

static const char *const states[] = {[FINDING_WORKS] = "works",
				     [FINDING_LACKS] = "no",
				     [FINDING_LIMITS] = "limited",
				     [FINDING_COSTS] = "costs"};

static void show_finding(const struct finding *x, struct buf *out)
{
	buf_printf(out, "%-34s: %s", x->what, states[x->state]);
	if (*x->why) {
		buf_str(out, ": ");
		buf_safe(out, x->why);
	} else if (x->needs && x->state == FINDING_WORKS)
		buf_printf(out, " (%s)", x->needs);
	buf_char(out, '\n');
	if (*x->change) {
		buf_fill(out, ' ', 36);
		buf_safe(out, x->change);
		buf_char(out, '\n');
	}
}

static void show_text(const struct findings *f, struct buf *out)
{
	size_t costs = 0;

	doctor_show_machine(out);
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i].state != FINDING_COSTS)
			show_finding(&f->at[i], out);
	buf_str(out, "\n# set up, and costs time or counters now\n");
	for (size_t i = 0; i < f->n; i++) {
		if (f->at[i].state != FINDING_COSTS)
			continue;
		show_finding(&f->at[i], out);
		costs++;
	}
	if (!costs)
		buf_str(out, "nothing\n");
}

static void show_json(const struct findings *f, struct buf *out)
{
	struct json j = {.out = out};
	struct utsname u = {0};

	uname(&u);
	json_open(&j, '{');
	json_text_member(&j, "perf", PERF_VERSION);
	json_text_member(&j, "kernel", u.release);
	json_text_member(&j, "machine", u.machine);
	json_number_member(&j, "uid", geteuid());
	json_name(&j, "findings");
	json_open(&j, '[');
	for (size_t i = 0; i < f->n; i++) {
		const struct finding *x = &f->at[i];

		json_open(&j, '{');
		json_text_member(&j, "name", x->name);
		json_text_member(&j, "what", x->what);
		json_text_member(&j, "state", states[x->state]);
		json_optional_member(&j, "needs", x->needs);
		json_optional_member(&j, "why", *x->why ? x->why : NULL);
		json_optional_member(&j, "change", *x->change ? x->change : NULL);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(out, '\n');
}

static int run_doctor(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const struct doctor_opts *o = opts;
	struct arena arena = {0};
	const struct doctor_roots roots = {"/proc", "/sys", tracefs_find(NULL, &arena)};
	struct findings f = {0};
	bool basic;

	if (argc)
		return err_set(err, ERR_USAGE, "doctor takes no argument: '%s'", argv[0]);
	doctor_find(&f, &roots);
	(o->json ? show_json : show_text)(&f, &env->out->buf);
	basic = f.n && f.at[0].state == FINDING_WORKS;
	vec_release(&f);
	arena_release(&arena);
	return basic ? 0 : 1;
}

static const char *const usage[] = {"doctor [-j]", NULL};

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "Say what works here, and what would change the rest",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct doctor_opts),
	.words = "",
	.run = run_doctor,
};
