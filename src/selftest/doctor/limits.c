// SPDX-License-Identifier: MIT
#include "selftest/doctor/doctor.h"

#include "os/process/process.h"
#include "os/rights/rights.h"

#include <sys/resource.h>

#define USUAL_FREQUENCY 4000 /* samples a second that record takes unless it is told otherwise */
#define USUAL_RING	516  /* KiB of a ring of record, with its control page */
#define USUAL_FRAMES	127
#define FEW_FILES	4096

static void limit_rate(struct findings *f, const char *proc)
{
	long rate = rights_sysctl(proc, "perf_event_max_sample_rate", 100000),
	     share = rights_sysctl(proc, "perf_cpu_time_max_percent", 25);
	struct finding *x = doctor_add(f, "rate", "rate of samples", FINDING_WORKS);

	if (rate >= USUAL_FREQUENCY) {
		doctor_say(x->why, "up to %ld a second of a CPU, and %ld %% of its time", rate,
			   share ? share : 100);
		return;
	}
	x->state = FINDING_LIMITS;
	doctor_say(x->why,
		   "the kernel has lowered its limit to %ld a second, since samples took it too "
		   "long",
		   rate);
	doctor_say(x->change, "sysctl kernel.perf_event_max_sample_rate=100000");
}

static void limit_stack(struct findings *f, const char *proc)
{
	long most = rights_sysctl(proc, "perf_event_max_stack", USUAL_FRAMES);
	struct finding *x = doctor_add(f, "stack", "depth of call chains", FINDING_WORKS);

	doctor_say(x->why, "up to %ld frames (sysctl kernel.perf_event_max_stack)", most);
	if (most >= USUAL_FRAMES)
		return;
	x->state = FINDING_LIMITS;
	doctor_say(x->change, "sysctl kernel.perf_event_max_stack=%d", USUAL_FRAMES);
}

/* The kernel lets a user lock perf_event_mlock_kb for each CPU, and RLIMIT_MEMLOCK beyond it. */
static void limit_rings(struct findings *f, const char *proc)
{
	long each = rights_sysctl(proc, "perf_event_mlock_kb", USUAL_RING);
	struct finding *x = doctor_add(f, "rings", "memory of rings (-m)", FINDING_WORKS);
	struct rlimit locked = {0};

	x->needs = "CAP_IPC_LOCK or perf_event_paranoid -1";
	getrlimit(RLIMIT_MEMLOCK, &locked);
	if (rights_lock_memory(proc)) {
		doctor_say(x->why, "no limit");
		return;
	}
	if (locked.rlim_cur == RLIM_INFINITY)
		doctor_say(x->why, "no limit (ulimit -l)");
	else
		doctor_say(x->why, "%ld KiB for each CPU, and %llu KiB more (ulimit -l)", each,
			   (unsigned long long)locked.rlim_cur >> 10);
	if (each >= USUAL_RING || locked.rlim_cur >> 10 >= USUAL_RING)
		return;
	x->state = FINDING_LIMITS;
	doctor_say(x->change, "sysctl kernel.perf_event_mlock_kb=%d", USUAL_RING);
}

static void limit_files(struct findings *f)
{
	struct finding *x = doctor_add(f, "files", "events open at once", FINDING_WORKS);
	struct rlimit files = {0};

	getrlimit(RLIMIT_NOFILE, &files);
	doctor_say(x->why, "up to %llu, each counts once for each CPU or thread (ulimit -Hn)",
		   (unsigned long long)files.rlim_max);
	if (files.rlim_max >= FEW_FILES)
		return;
	x->state = FINDING_LIMITS;
	doctor_say(x->change, "as root: prlimit --nofile=65536 --pid $$");
}

void doctor_limits(struct findings *f, const struct doctor_roots *roots)
{
	struct finding *x;

	limit_rate(f, roots->proc);
	limit_stack(f, roots->proc);
	limit_rings(f, roots->proc);
	limit_files(f);
	if (process_sees_all(roots->proc))
		return;
	x = doctor_add(f, "namespace", "programs outside of this container", FINDING_LIMITS);
	doctor_say(x->why, "they have no names and no numbers in this pid namespace");
	doctor_say(x->change, "start the container with the machine's processes (--pid=host)");
}
