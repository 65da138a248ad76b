// SPDX-License-Identifier: MIT
#include "analysis/calls/fds.h"

#include "base/mem.h"
#include "os/proc/proc_fds.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROCESSES_LOOK	  1024	/* fewer are never looked through for those that have ended */
#define FDS_MOST	  65536 /* descriptors that are kept of a process */
#define CLOSE_ON_EXEC	  02000000
#define CURRENT_DIRECTORY -100

struct fd_process {
	uint32_t pid;
	char *directory; /* the current one; NULL: not known */
	VEC(struct fd_entry {
		char *path; /* NULL: not known */
		bool close_on_exec;
	})
	fds;
};

static void process_clear(struct fd_process *p)
{
	for (size_t i = 0; i < p->fds.n; i++)
		free(p->fds.at[i].path);
	vec_release(&p->fds);
	free(p->directory);
	p->directory = NULL;
}

void call_fds_forget(struct call_fds *f)
{
	for (size_t i = 0; i < f->processes.n; i++)
		process_clear(f->processes.at[i]);
}

void call_fds_release(struct call_fds *f)
{
	call_fds_forget(f);
	for (size_t i = 0; i < f->processes.n; i++)
		free(f->processes.at[i]);
	vec_release(&f->processes);
	vec_release(&f->spare);
	idmap_release(&f->by_pid);
}

static void process_ended(struct call_fds *f, uint32_t pid)
{
	const uint32_t id = f->processes.n ? idmap_find(&f->by_pid, pid) : HASH_NONE;

	if (id == HASH_NONE)
		return;
	process_clear(f->processes.at[id]);
	f->processes.at[id]->pid = 0;
	vec_add(&f->spare, id);
	*idmap_put(&f->by_pid, pid) = HASH_NONE;
}

/* Frees what is kept of processes that were killed: they make no call at their end. */
static void processes_look(struct call_fds *f)
{
	const size_t kept = f->processes.n - f->spare.n;

	if (!f->proc_root || kept < MAX(f->look_at, (size_t)PROCESSES_LOOK))
		return;
	for (size_t i = 0; i < f->processes.n; i++) {
		const uint32_t pid = f->processes.at[i]->pid;

		if (!pid)
			continue;
		snprintf(f->path, sizeof(f->path), "%s/%u", f->proc_root, pid);
		if (access(f->path, F_OK))
			process_ended(f, pid);
	}
	f->look_at = 2 * (f->processes.n - f->spare.n);
}

static struct fd_process *process_of(struct call_fds *f, uint32_t pid)
{
	uint32_t *id = idmap_put(&f->by_pid, pid);

	if (*id == HASH_NONE && f->spare.n) {
		*id = f->spare.at[--f->spare.n];
	} else if (*id == HASH_NONE) {
		*id = (uint32_t)f->processes.n;
		vec_add(&f->processes, NEW(struct fd_process));
	}
	f->processes.at[*id]->pid = pid;
	return f->processes.at[*id];
}

static void set_path(struct fd_process *p, int64_t fd, const char *path, bool close_on_exec)
{
	if (fd < 0 || fd >= FDS_MOST)
		return;
	if ((size_t)fd >= p->fds.n && !path)
		return;
	if ((size_t)fd >= p->fds.n)
		(void)vec_extend(&p->fds, (size_t)fd + 1 - p->fds.n);
	free(p->fds.at[fd].path);
	p->fds.at[fd].path = path ? mem_strdup(path) : NULL;
	p->fds.at[fd].close_on_exec = close_on_exec;
}

static const char *get_path(const struct fd_process *p, uint64_t fd)
{
	return fd < p->fds.n ? p->fds.at[fd].path : NULL;
}

/* Reads what a descriptor is open on now into f->path, and keeps it. */
static bool look_at(struct call_fds *f, struct fd_process *p, uint32_t pid, int fd)
{
	if (!proc_fd_path(f->proc_root, pid, fd, f->path, sizeof(f->path)))
		return false;
	set_path(p, fd, f->path, proc_fd_closes_on_exec(f->proc_root, pid, fd));
	return true;
}

void call_fds_look(struct call_fds *f, uint32_t pid)
{
	struct fd_process *p;
	struct proc_ids fds = {0};

	if (f->incomplete || !f->proc_root)
		return;
	p = process_of(f, pid);
	if (proc_current_dir(f->proc_root, pid, f->path, sizeof(f->path))) {
		free(p->directory);
		p->directory = mem_strdup(f->path);
	}
	if (proc_fds(f->proc_root, pid, &fds))
		return;
	for (size_t i = 0; i < fds.n; i++)
		(void)look_at(f, p, pid, fds.at[i]);
	vec_release(&fds);
}

void call_fds_look_all(struct call_fds *f)
{
	struct proc_ids pids = {0};

	if (f->incomplete || !f->proc_root)
		return;
	proc_pids(f->proc_root, &pids);
	for (size_t i = 0; i < pids.n; i++)
		call_fds_look(f, (uint32_t)pids.at[i]);
	vec_release(&pids);
}

void call_fds_fork(struct call_fds *f, uint32_t pid, uint32_t parent)
{
	struct fd_process *from, *to;

	if (f->incomplete || pid == parent)
		return;
	processes_look(f);
	to = process_of(f, pid);
	from = process_of(f, parent);
	process_clear(to);
	to->directory = from->directory ? mem_strdup(from->directory) : NULL;
	for (size_t i = 0; i < from->fds.n; i++)
		if (from->fds.at[i].path)
			set_path(to, (int64_t)i, from->fds.at[i].path,
				 from->fds.at[i].close_on_exec);
}

const char *call_fds_path(struct call_fds *f, uint32_t pid, int fd)
{
	struct fd_process *p = f->incomplete ? NULL : process_of(f, pid);
	const char *path = p ? get_path(p, (uint64_t)fd) : NULL;

	if (path)
		return path;
	if (!f->proc_root)
		return NULL;
	if (p)
		return look_at(f, p, pid, fd) ? f->path : NULL;
	return proc_fd_path(f->proc_root, pid, fd, f->path, sizeof(f->path)) ? f->path : NULL;
}

static bool is_call(const struct call *c, enum call_id id)
{
	return c->desc->id == id;
}

/* The absolute path of an argument; NULL: not known. The caller frees it. */
static char *path_given(struct call_fds *f, const struct call *c, unsigned int arg, int directory)
{
	size_t n;
	const uint8_t *p = call_bytes(c, c->args[arg], &n);
	const struct fd_process *process = process_of(f, c->pid);
	const char *from = directory == CURRENT_DIRECTORY ? process->directory
							  : get_path(process, (uint64_t)directory);

	if (!p || !n || !memchr(p, 0, n))
		return NULL;
	if (*p == '/')
		return mem_strdup((const char *)p);
	if (p[0] == '.' && (!p[1] || p[1] == '/' || p[1] == '.'))
		return p[1] || !from ? NULL : mem_strdup(from);
	return from && *from == '/'
		       ? mem_printf("%s%s%s", from, from[1] ? "/" : "", (const char *)p)
		       : NULL;
}

static void opened(struct call_fds *f, const struct call *c, unsigned int arg, uint64_t flags)
{
	AUTO_CHAR *path = path_given(f, c, arg, arg ? (int)c->args[0] : CURRENT_DIRECTORY);

	if (!path && f->proc_root &&
	    proc_fd_path(f->proc_root, c->pid, (int)c->result, f->path, sizeof(f->path)))
		path = mem_strdup(f->path);
	set_path(process_of(f, c->pid), c->result, path, flags & CLOSE_ON_EXEC);
}

static void changed_directory(struct call_fds *f, const struct call *c)
{
	struct fd_process *p = process_of(f, c->pid);
	const char *path = is_call(c, CALL_ID_fchdir) ? get_path(p, c->args[0]) : NULL;
	char *to = is_call(c, CALL_ID_chdir) ? path_given(f, c, 0, CURRENT_DIRECTORY)
		   : path		     ? mem_strdup(path)
					     : NULL;

	if (!to && f->proc_root && proc_current_dir(f->proc_root, c->pid, f->path, sizeof(f->path)))
		to = mem_strdup(f->path);
	free(p->directory);
	p->directory = to;
}

static void copied(struct call_fds *f, const struct call *c, bool close_on_exec)
{
	struct fd_process *p = process_of(f, c->pid);
	const char *path = get_path(p, c->args[0]);
	char *copy = path ? mem_strdup(path) : NULL; /* the table may move */

	set_path(p, c->result, copy, close_on_exec);
	free(copy);
}

static void closed_by_exec(struct fd_process *p)
{
	for (size_t i = 0; i < p->fds.n; i++)
		if (p->fds.at[i].close_on_exec)
			set_path(p, (int64_t)i, NULL, false);
}

#define DUPFD	      0
#define DUPFD_CLOEXEC 1030
static bool copies(const struct call *c)
{
	if (is_call(c, CALL_ID_dup) || is_call(c, CALL_ID_dup2) || is_call(c, CALL_ID_dup3))
		return true;
	return is_call(c, CALL_ID_fcntl) && (c->args[1] == DUPFD || c->args[1] == DUPFD_CLOEXEC);
}

static bool copy_closes_on_exec(const struct call *c)
{
	if (is_call(c, CALL_ID_dup3))
		return c->args[2] & CLOSE_ON_EXEC;
	return is_call(c, CALL_ID_fcntl) && c->args[1] == DUPFD_CLOEXEC;
}

#define SETFD		    2
#define RANGE_CLOSES_ON_EXEC 4
static void mark_close_on_exec(struct fd_process *p, uint64_t fd, bool on)
{
	if (fd < p->fds.n)
		p->fds.at[fd].close_on_exec = on;
}

static void add_close_range(struct fd_process *p, const struct call *c)
{
	const uint32_t from = (uint32_t)c->args[0], to = (uint32_t)c->args[1];

	for (uint64_t fd = from; fd <= to && fd < p->fds.n; fd++)
		if (c->args[2] & RANGE_CLOSES_ON_EXEC)
			mark_close_on_exec(p, fd, true);
		else
			set_path(p, (int64_t)fd, NULL, false);
}

void call_fds_add(struct call_fds *f, const struct call *c)
{
	if (f->incomplete || !c->desc || !c->entered)
		return;
	if (is_call(c, CALL_ID_exit_group))
		process_ended(f, c->pid);
	if (!c->returned)
		return;
	if (is_call(c, CALL_ID_close)) { /* the kernel closes it even when the call fails */
		set_path(process_of(f, c->pid), (int)c->args[0], NULL, false);
		return;
	}
	if (call_failed(c))
		return;
	if (is_call(c, CALL_ID_openat) || is_call(c, CALL_ID_openat2))
		opened(f, c, 1, is_call(c, CALL_ID_openat) ? c->args[2] : 0);
	else if (is_call(c, CALL_ID_open) || is_call(c, CALL_ID_creat))
		opened(f, c, 0, is_call(c, CALL_ID_open) ? c->args[1] : 0);
	else if (is_call(c, CALL_ID_chdir) || is_call(c, CALL_ID_fchdir))
		changed_directory(f, c);
	else if (copies(c))
		copied(f, c, copy_closes_on_exec(c));
	else if (is_call(c, CALL_ID_execve) || is_call(c, CALL_ID_execveat))
		closed_by_exec(process_of(f, c->pid));
	else if (is_call(c, CALL_ID_close_range))
		add_close_range(process_of(f, c->pid), c);
	else if (is_call(c, CALL_ID_fcntl) && c->args[1] == SETFD)
		mark_close_on_exec(process_of(f, c->pid), c->args[0], c->args[2] & 1);
	else if (c->desc->result == KIND_fd)
		set_path(process_of(f, c->pid), c->result, NULL, false);
}
