// SPDX-License-Identifier: MIT
#include "os/proc/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* PROCMAP_QUERY of <linux/fs.h>, Linux 6.11: headers of older kernels lack it. */
struct map_query {
	uint64_t size, query_flags, query_addr;
	uint64_t vma_start, vma_end, vma_flags, vma_page_size, vma_offset, inode;
	uint32_t dev_major, dev_minor;
	uint32_t vma_name_size, build_id_size;
	uint64_t vma_name_addr, build_id_addr;
};
#define MAP_QUERY _IOWR('f', 17, struct map_query)
enum { QUERY_READABLE = 1, QUERY_WRITABLE = 2, QUERY_EXECUTABLE = 4, QUERY_SHARED = 8,
       QUERY_COVERING_OR_NEXT = 16 };

struct walk {
	int fd;
	const struct proc_maps_options *opts;
	bool (*take)(void *ctx, const struct proc_map *m);
	void *ctx;
	uint64_t deadline;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool late(const struct walk *w)
{
	return w->deadline && now_ms() > w->deadline;
}

/* Walks the maps by PROCMAP_QUERY. As proc_maps(); 2: this kernel has no such request. */
static int by_query(struct walk *w)
{
	char name[4096];
	uint8_t id[20];
	uint64_t addr = 0;
	unsigned int n = 0;

	for (;;) {
		struct map_query q = {.size = sizeof(q), .query_addr = addr,
				      .query_flags = QUERY_COVERING_OR_NEXT,
				      .vma_name_size = sizeof(name),
				      .vma_name_addr = (uintptr_t)name};
		struct proc_map m;

		/* A readable mapping is executable or not: no single mask asks for both. */
		q.query_flags |= w->opts->data ? QUERY_READABLE : QUERY_EXECUTABLE;
		if (w->opts->build_ids) {
			q.build_id_size = sizeof(id);
			q.build_id_addr = (uintptr_t)id;
		}
		if (ioctl(w->fd, MAP_QUERY, &q) < 0) {
			if (errno == ENOENT)
				return 0;
			if (errno == ENAMETOOLONG) {
				/* Its name is too long: skips the mapping. */
				q.vma_name_size = q.build_id_size = 0;
				q.vma_name_addr = q.build_id_addr = 0;
				if (ioctl(w->fd, MAP_QUERY, &q) < 0)
					return -1;
				addr = q.vma_end;
				continue;
			}
			return n ? -1 : errno == ESRCH ? -1 : 2;
		}
		n++;
		m = (struct proc_map){
			.start = q.vma_start, .end = q.vma_end, .offset = q.vma_offset,
			.ino = q.inode, .maj = q.dev_major, .min = q.dev_minor,
			.prot = (q.vma_flags & QUERY_READABLE ? PROT_READ : 0) |
				(q.vma_flags & QUERY_WRITABLE ? PROT_WRITE : 0) |
				(q.vma_flags & QUERY_EXECUTABLE ? PROT_EXEC : 0),
			.flags = q.vma_flags & QUERY_SHARED ? MAP_SHARED : MAP_PRIVATE,
			.build_id_size = (uint8_t)(w->opts->build_ids ? q.build_id_size : 0),
			.name = q.vma_name_size ? name : ""};
		memcpy(m.build_id, id, m.build_id_size);
		if (!w->take(w->ctx, &m))
			return 0;
		if (late(w))
			return 1;
		addr = q.vma_end;
	}
}

static uint64_t proc_maps_hex(const char **p)
{
	uint64_t v = 0;

	for (;; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			v = v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint64_t)(c - 'a' + 10);
		else
			return v;
	}
}

static bool skip(const char **p, char c)
{
	if (**p != c)
		return false;
	(*p)++;
	return true;
}

/* "start-end rwxp offset maj:min inode    name" */
static bool proc_maps_parse_line(const char *p, struct proc_map *m)
{
	*m = (struct proc_map){0};
	m->start = proc_maps_hex(&p);
	if (!skip(&p, '-'))
		return false;
	m->end = proc_maps_hex(&p);
	if (!skip(&p, ' ') || strnlen(p, 5) < 5)
		return false;
	m->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		  (p[2] == 'x' ? PROT_EXEC : 0);
	m->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	p += 5;
	m->offset = proc_maps_hex(&p);
	if (!skip(&p, ' '))
		return false;
	m->maj = (uint32_t)proc_maps_hex(&p);
	if (!skip(&p, ':'))
		return false;
	m->min = (uint32_t)proc_maps_hex(&p);
	m->ino = strtoull(p, (char **)&p, 10);
	while (*p == ' ')
		p++;
	m->name = p;
	return m->end > m->start;
}

static int proc_maps_by_text(struct walk *w)
{
	static const size_t room = 65536;
	AUTO_CHAR *text = mem_alloc(room);
	size_t n = 0;
	ssize_t got;

	while ((got = read(w->fd, text + n, room - 1 - n)) > 0) {
		char *line = text, *end;

		n += (size_t)got;
		text[n] = 0;
		while ((end = memchr(line, '\n', n - (size_t)(line - text)))) {
			struct proc_map m;

			*end = 0;
			if (proc_maps_parse_line(line, &m) &&
			    (m.prot & PROT_EXEC || (w->opts->data && m.prot & PROT_READ)) &&
			    !w->take(w->ctx, &m))
				return 0;
			line = end + 1;
		}
		n -= (size_t)(line - text);
		memmove(text, line, n);
		if (n == room - 1)
			return -1;
		if (late(w))
			return 1;
	}
	return got < 0 ? -1 : 0;
}

int proc_maps(const char *root, int pid, const struct proc_maps_options *opts,
	      bool (*take)(void *ctx, const struct proc_map *m), void *ctx)
{
	struct walk w = {.opts = opts, .take = take, .ctx = ctx};
	char path[256];
	int got = 2;

	snprintf(path, sizeof(path), "%s/%d/maps", root, pid);
	w.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (w.fd < 0)
		return -1;
	if (opts->timeout_ms)
		w.deadline = now_ms() + opts->timeout_ms;
	if (!opts->text_only)
		got = by_query(&w);
	if (got == 2)
		got = proc_maps_by_text(&w);
	close(w.fd);
	return got;
}
