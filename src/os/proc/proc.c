// SPDX-License-Identifier: MIT
#include "os/proc/proc.h"

#include "base/buf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int numbers(const char *path, struct proc_ids *out)
{
	DIR *d = opendir(path);
	struct dirent *e;

	if (!d)
		return -1;
	while ((e = readdir(d)))
		if (isdigit((unsigned char)e->d_name[0]))
			vec_add(out, atoi(e->d_name));
	closedir(d);
	return 0;
}

bool proc_mounted(const char *root)
{
	DIR *dir = opendir(root);
	const struct dirent *e;
	bool any = false;

	while (dir && !any && (e = readdir(dir)))
		any = e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return any;
}

int proc_pids(const char *root, struct proc_ids *out)
{
	return numbers(root, out);
}

int proc_tasks(const char *root, int pid, struct proc_ids *out)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%d/task", root, pid);
	return numbers(path, out);
}

/* Reads up to size - 1 bytes of a file that says all at once, as those of /proc/PID do. */
static ssize_t slurp(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got = 0;

	if (fd < 0)
		return -1;
	while (n < size - 1 && (got = read(fd, out + n, size - 1 - n)) > 0)
		n += (size_t)got;
	close(fd);
	out[n] = 0;
	return got < 0 ? -1 : (ssize_t)n;
}

bool proc_head(const char *path, char *out, size_t size)
{
	return slurp(path, out, size) > 0;
}

char *proc_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct buf b = {0};
	ssize_t got;

	if (fd < 0)
		return NULL;
	do {
		buf_reserve(&b, 16384);
		got = read(fd, b.at + b.n, b.cap - b.n);
		if (got > 0)
			b.n += (size_t)got;
	} while (got > 0);
	close(fd);
	if (got < 0) {
		buf_release(&b);
		return NULL;
	}
	buf_text(&b);
	if (size)
		*size = b.n;
	return b.at;
}

bool proc_line(const char *root, int pid, const char *file, char *out, size_t size)
{
	char path[512];

	if (pid)
		snprintf(path, sizeof(path), "%s/%d/%s", root, pid, file);
	else
		snprintf(path, sizeof(path), "%s/%s", root, file);
	if (slurp(path, out, size) < 0)
		return false;
	out[strcspn(out, "\n")] = 0;
	return true;
}

/* The kernel writes a newline in a name as \n and a backslash as \\ (fs/proc/array.c). */
static void take_name(const char *p, char *out, size_t size)
{
	size_t n = 0;

	while (*p == ' ' || *p == '\t')
		p++;
	for (; *p && *p != '\n' && n < size - 1; p++) {
		if (*p == '\\' && p[1] == 'n') {
			out[n++] = '\n';
			p++;
		} else if (*p == '\\' && p[1] == '\\') {
			out[n++] = *p++;
		} else {
			out[n++] = *p;
		}
	}
	out[n] = 0;
}

static const char *field(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p)
		if (!strncmp(p, name, n))
			return p + n;
	return NULL;
}

int proc_status(const char *root, int pid, int tid, struct proc_status *out)
{
	char path[256], text[4096];
	const char *p;

	if (pid)
		snprintf(path, sizeof(path), "%s/%d/task/%d/status", root, pid, tid);
	else
		snprintf(path, sizeof(path), "%s/%d/status", root, tid);
	if (slurp(path, text, sizeof(text)) <= 0)
		return -1;
	*out = (struct proc_status){.pid = tid, .tgid = -1, .ppid = -1};
	if ((p = field(text, "Name:")))
		take_name(p, out->comm, sizeof(out->comm));
	if ((p = field(text, "Tgid:")))
		out->tgid = atoi(p);
	if ((p = field(text, "PPid:")))
		out->ppid = atoi(p);
	if ((p = field(text, "Uid:")))
		out->uid = (uid_t)strtoul(p, NULL, 10);
	out->kernel_thread = !field(text, "VmPeak:");
	return out->tgid < 0 ? -1 : 0;
}

int proc_namespaces(const char *root, int pid, struct proc_ns ns[PROC_NAMESPACES])
{
	static const char *const names[PROC_NAMESPACES] = {"net", "uts", "ipc",	  "pid",
							   "user", "mnt", "cgroup"};
	int found = 0;

	for (int i = 0; i < PROC_NAMESPACES; i++) {
		char path[256];
		struct stat st;

		ns[i] = (struct proc_ns){0};
		snprintf(path, sizeof(path), "%s/%d/ns/%s", root, pid, names[i]);
		if (stat(path, &st))
			continue;
		ns[i].dev = st.st_dev;
		ns[i].ino = st.st_ino;
		found++;
	}
	return found;
}

int proc_times(const char *root, int pid, struct proc_times *out)
{
	uint64_t tick = 1000000000 / (uint64_t)MAX(sysconf(_SC_CLK_TCK), 1L);
	unsigned long long user, more, system, children;
	char line[1024], *after;

	if (!proc_line(root, pid, "stat", line, sizeof(line)))
		return -1;
	if (!pid) { /* cpu  user nice system ... */
		if (sscanf(line, "cpu %llu %llu %llu", &user, &more, &system) != 3)
			return -1;
		children = 0;
	} else { /* pid (comm) state ... utime stime cutime cstime: fields 14 to 17; a comm may hold
		    anything */
		after = strrchr(line, ')');
		if (!after || sscanf(after + 1,
				     " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu "
				     "%llu %llu",
				     &user, &system, &more, &children) != 4)
			return -1;
	}
	*out = (struct proc_times){(user + more) * tick, (system + children) * tick};
	return 0;
}
