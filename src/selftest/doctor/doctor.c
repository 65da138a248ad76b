// SPDX-License-Identifier: MIT
#include "selftest/doctor/doctor.h"

#include "os/rights/rights.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

void doctor_say(char text[200], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, 200, fmt, args);
	va_end(args);
}

struct finding *doctor_add(struct findings *f, const char *name, const char *what, int state)
{
	vec_add(f, (struct finding){.name = name, .what = what, .state = state});
	return vec_last(f);
}

bool doctor_is_refusal(int error)
{
	return error == EACCES || error == EPERM;
}

void doctor_find(struct findings *f, const struct doctor_roots *roots)
{
	doctor_events(f, roots);
	doctor_kernel(f, roots);
	doctor_limits(f, roots);
	doctor_costs(f, roots);
}

void doctor_show_machine(struct buf *out)
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
