// SPDX-License-Identifier: MIT
#include "selftest/doctor/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

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
