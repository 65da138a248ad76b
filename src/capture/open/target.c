// SPDX-License-Identifier: MIT
#include "capture/open/target.h"

#include "base/monotonic.h"
#include "os/machine/cpus.h"
#include "os/proc/proc.h"
#include "os/rights/users.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool target_is_command(const struct target_options *o)
{
	return !o->pids && !o->tids && !o->user && !o->cpus && !o->system_wide && !o->all_threads;
}

void target_release(struct target *t)
{
	vec_release(&t->tids);
	vec_release(&t->cpus);
	vec_release(&t->pids);
}

static void add_once(struct target *t, bool pid, int value)
{
	if (pid) {
		for (size_t i = 0; i < t->pids.n; i++)
			if (t->pids.at[i] == value)
				return;
		vec_add(&t->pids, value);
	} else {
		for (size_t i = 0; i < t->tids.n; i++)
			if (t->tids.at[i] == value)
				return;
		vec_add(&t->tids, value);
	}
}

static int target_add_process(struct target *t, int pid, const char *root)
{
	struct proc_ids tasks = {0};

	if (proc_tasks(root, pid, &tasks) || !tasks.n)
		return -1;
	for (size_t i = 0; i < tasks.n; i++)
		add_once(t, false, tasks.at[i]);
	add_once(t, true, pid);
	vec_release(&tasks);
	return 0;
}

static int add_thread(struct target *t, int tid, const char *root)
{
	struct proc_status st;

	if (proc_status(root, 0, tid, &st))
		return -1;
	add_once(t, false, tid);
	add_once(t, true, st.tgid);
	return 0;
}

static int add_list(struct target *t, const char *list, bool threads, const char *root,
		    struct err *err)
{
	for (const char *p = list; *p;) {
		char *end;
		long id = strtol(p, &end, 10);

		if (end == p || id <= 0 || (*end && *end != ',')) {
			return err_set(err, ERR_USAGE, "'%s' is not a list of %s ids", list,
				       threads ? "thread" : "process");
		}
		if (threads ? add_thread(t, (int)id, root) : target_add_process(t, (int)id, root)) {
			if (!proc_mounted(root))
				return err_set(err, ERR_SYSTEM,
					       "%s %ld cannot be looked up: there is no %s here",
					       threads ? "thread" : "process", id, root);
			return err_set(err, ERR_SYSTEM, "there is no %s %ld",
				       threads ? "thread" : "process", id);
		}
		p = *end ? end + 1 : end;
	}
	return 0;
}

static int add_user(struct target *t, const char *user, const char *root, struct err *err)
{
	struct proc_ids pids = {0};
	char *end;
	uid_t uid;

	if (!users_find(user, &uid)) {
		uid = (uid_t)strtoul(user, &end, 10);
		if (end == user || *end)
			return err_set(err, ERR_USAGE, "there is no user '%s'", user);
	}
	if (proc_pids(root, &pids))
		return err_sys(err, errno, "cannot read '%s'", root);
	for (size_t i = 0; i < pids.n; i++) {
		struct proc_status st;

		if (!proc_status(root, 0, pids.at[i], &st) && st.uid == uid)
			target_add_process(t, pids.at[i], root);
	}
	vec_release(&pids);
	return t->tids.n ? 0
			 : err_set(err, ERR_SYSTEM, "user '%s' has no process", user);
}

static int add_all(struct target *t, const char *root, struct err *err)
{
	struct proc_ids pids = {0};

	if (proc_pids(root, &pids))
		return err_sys(err, errno, "cannot read '%s'", root);
	for (size_t i = 0; i < pids.n; i++)
		target_add_process(t, pids.at[i], root);
	vec_release(&pids);
	return 0;
}

int target_find(struct target *t, const struct target_options *o, int command_pid,
		const char *proc_root, const char *sys_root, struct err *err)
{
	struct cpu_list online = {0};

	*t = (struct target){0};
	if (cpus_online(sys_root, &online))
		return err_set(err, ERR_SYSTEM, "cannot tell which CPUs are online");
	t->system_wide = o->system_wide || (o->cpus && !o->pids && !o->tids && !o->user);
	if (o->pids && add_list(t, o->pids, false, proc_root, err))
		goto failed;
	if (o->tids && add_list(t, o->tids, true, proc_root, err))
		goto failed;
	if (o->user && add_user(t, o->user, proc_root, err))
		goto failed;
	if (o->all_threads && add_all(t, proc_root, err))
		goto failed;
	if (t->system_wide) {
		vec_clear(&t->tids);
		vec_clear(&t->pids);
		vec_add(&t->tids, -1);
	} else if (!t->tids.n) {
		vec_add(&t->tids, command_pid);
		vec_add(&t->pids, command_pid);
	}
	if (o->per_thread && !t->system_wide) {
		vec_add(&t->cpus, -1);
	} else if (o->cpus) {
		struct cpu_list wanted = {0};

		if (cpus_parse(o->cpus, &wanted)) {
			err_set(err, ERR_USAGE, "'%s' is not a list of CPUs", o->cpus);
			goto failed;
		}
		for (size_t i = 0; i < wanted.n; i++) {
			if (!cpus_has(&online, wanted.at[i])) {
				err_set(err, ERR_SYSTEM, "CPU %d is not online", wanted.at[i]);
				vec_release(&wanted);
				goto failed;
			}
			vec_add(&t->cpus, wanted.at[i]);
		}
		t->all_cpus = wanted.n == online.n;
		vec_release(&wanted);
	} else {
		for (size_t i = 0; i < online.n; i++)
			vec_add(&t->cpus, online.at[i]);
		t->all_cpus = true;
	}
	vec_release(&online);
	return 0;
failed:
	vec_release(&online);
	return -1;
}

static bool has_task(const struct target *t, int tid)
{
	for (size_t i = 0; i < t->tids.n; i++)
		if (t->tids.at[i] == tid)
			return true;
	return false;
}

/* Is there a task now that was not found when *t was made? */
static bool grew(const struct target *t, const struct target_attach *how)
{
	const struct target_options *o = how->opts;
	struct target now = {0};
	bool more = false;

	if (t->system_wide || !(o->pids || o->user || o->all_threads))
		return false;
	/* mostly nothing has changed, and there may be thousands */
	if (!target_find(&now, o, how->command_pid, how->proc_root, how->sys_root, NULL) &&
	    (now.tids.n != t->tids.n ||
	     memcmp(now.tids.at, t->tids.at, t->tids.n * sizeof(*t->tids.at))))
		for (size_t i = 0; !more && i < now.tids.n; i++)
			more = !has_task(t, now.tids.at[i]);
	target_release(&now);
	return more;
}

/* How often, and for how long, events are opened anew: to open those of hundreds of threads takes
 * about as long as threads live that do a little and end. */
#define ATTACH_TRIES 100
#define ATTACH_NS    1000000000

int target_attach(struct target *t, const struct target_attach *how, struct err *err)
{
	uint64_t until = monotonic_ns() + ATTACH_NS;

	for (int tries = 1;; tries++) {
		if (how->open(how->ctx, tries > 1, err))
			return -1;
		if (!grew(t, how))
			return 0;
		if (tries == ATTACH_TRIES || monotonic_ns() > until) {
			how->tell(how->ctx, "New threads began each time that perf attached: some "
					    "of them, and all that those start, may be missed.\n");
			return 0;
		}
		how->close(how->ctx);
		target_release(t);
		if (target_find(t, how->opts, how->command_pid, how->proc_root, how->sys_root, err))
			return -1;
	}
}
