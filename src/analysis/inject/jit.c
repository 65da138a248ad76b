// SPDX-License-Identifier: MIT
/*
 * Code of JITs for readers that don't know their dumps: each piece as an ELF file beside the dump,
 * and a map of it at the time when it was loaded. The map of the dump itself is left out, and those
 * of memory without a file in that process: the runtime changes its protection all the time, and
 * each such map would cover the code again.
 */
#include "analysis/inject/stages.h"

#include "os/files/files.h"
#include "os/files/mapped.h"
#include "symbol/jit/jit_image.h"
#include "symbol/jit/jitdump.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define CLOCK_OF_JITS 1 /* CLOCK_MONOTONIC */
#define MOST_CODE     (64u << 20)

struct jit_process {
	uint32_t pid;
	struct dso *dso;
	struct jit_codes codes;
	size_t next;
	int fd; /* of the dump */
	size_t seen_dir,
		named_dir; /* the length of its folder's name: where it is, and in the process */
};

struct jits {
	VEC(struct jit_process) processes;
	uint64_t due; /* of the code that comes next */
	struct buf code, frames, image;
};

struct jits *jits_new(void)
{
	struct jits *j = NEW(struct jits);

	j->due = UINT64_MAX;
	return j;
}

static void release_process(struct jit_process *p)
{
	vec_release(&p->codes);
	if (p->fd >= 0)
		close(p->fd);
}

void jits_free(struct jits *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->processes.n; i++)
		release_process(&j->processes.at[i]);
	vec_release(&j->processes);
	buf_release(&j->code);
	buf_release(&j->frames);
	buf_release(&j->image);
	free(j);
}

static bool read_piece(int fd, uint64_t offset, size_t n, struct buf *to)
{
	buf_clear(to);
	buf_reserve(to, n);
	to->n = n;
	return file_read_at(fd, offset, to->at, n) == n;
}

/* Writes the ELF file of a piece of code, and sets its build-id. Replaces a file of an earlier
 * run. */
static int write_image(struct inject *in, const struct jit_process *p, const struct jit_code *code,
		       const struct jit_image *image, struct build_id *id)
{
	AUTO_CHAR *path = mem_printf("%.*s/jitted-%u-%llu.so", (int)p->seen_dir,
				     p->dso->source_path, p->pid, (unsigned long long)code->number);

	buf_clear(&in->jits->image);
	jit_image_build(image, &in->jits->image);
	if (unlink(path) && errno != ENOENT)
		return err_sys(in->err, errno, "cannot replace '%s'", path);
	if (files_write(in->jits->image.at, in->jits->image.n, path))
		return err_sys(in->err, errno, "cannot write '%s'", path);
	return build_id_of_file(path, id)
		       ? err_set(in->err, ERR_INPUT, "'%s' has no build-id", path)
		       : 0;
}

static void put_code(struct inject *in, const struct jit_process *p, const struct jit_code *code)
{
	struct jits *j = in->jits;
	const struct symbol *sym = dso_find(p->dso, code->offset);
	struct jit_lines lines = {0};
	struct build_id id;
	int failed;
	struct jit_image image = {.machine = p->codes.machine, .name = sym ? sym->name : "",
				  .size = (size_t)(code->end - code->start)};
	struct record r = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER | MISC_MMAP_BUILD_ID},
			   .event = in->rec->m.events.events.at[0],
			   .id = {.pid = p->pid, .tid = p->pid, .time = code->time}};
	AUTO_CHAR *name = mem_printf("%.*s/jitted-%u-%llu.so", (int)p->named_dir, p->dso->long_name,
				     p->pid, (unsigned long long)code->number);

	/* the dump may have been cut short since it was read */
	if (image.size > MOST_CODE || !read_piece(p->fd, code->offset, image.size, &j->code))
		return;
	image.code = j->code.at;
	if (code->unwinding.size &&
	    read_piece(p->fd, code->unwinding.offset, code->unwinding.size, &j->frames)) {
		image.frames = j->frames.at;
		image.frames_size = code->unwinding.size;
		image.frames_header_size = code->unwinding.header_size;
	}
	if (code->lines.size &&
	    jit_lines_read(&lines, p->fd, &code->lines, p->codes.swap, image.size))
		image.lines = &lines;
	failed = write_image(in, p, code, &image, &id);
	jit_lines_release(&lines);
	if (failed) {
		output_fail(&in->out);
		return;
	}
	r.mmap = (struct rec_mmap){.pid = p->pid, .tid = p->pid, .addr = code->start,
				   .len = jit_image_mapped(&image), .pgoff = JIT_IMAGE_CODE,
				   .prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE,
				   .filename = name, .build_id_size = id.size};
	memcpy(r.mmap.build_id, id.bytes, sizeof(id.bytes));
	output_build_id(&in->out, MISC_USER, &id, name);
	in->totals->codes++;
	inject_pass(in, &r);
}

/* Writes all code that was loaded before time, the oldest first. */
static void put_due(struct inject *in, uint64_t time)
{
	struct jits *j = in->jits;

	while (j->due <= time && !in->out.failed) {
		struct jit_process *first = NULL;

		for (size_t i = 0; i < j->processes.n; i++) {
			struct jit_process *p = &j->processes.at[i];

			if (p->next < p->codes.n &&
			    (!first ||
			     p->codes.at[p->next].time < first->codes.at[first->next].time))
				first = p;
		}
		j->due = first ? first->codes.at[first->next].time : UINT64_MAX;
		if (!first || j->due > time)
			break;
		put_code(in, first, &first->codes.at[first->next++]);
	}
}

static struct jit_process *jit_find(struct jits *j, uint32_t pid)
{
	for (size_t i = 0; i < j->processes.n; i++)
		if (j->processes.at[i].pid == pid)
			return &j->processes.at[i];
	return NULL;
}

/* Forgets a process that runs another program now. */
static void jit_forget(struct jits *j, uint32_t pid)
{
	struct jit_process *p = jit_find(j, pid);

	if (!p)
		return;
	release_process(p);
	*p = *vec_last(&j->processes);
	j->processes.n--;
	j->due = 0;
}

static int check_clock(struct inject *in, const struct jit_codes *codes, const char *path)
{
	const struct event_set *set = &in->rec->m.events;
	bool same = set->events.n && !codes->other_clock && in->rec->m.sample_id_all &&
		    measurement_samples_any(&in->rec->m, SAMPLE_TIME);

	for (size_t i = 0; same && i < set->events.n; i++) {
		const struct attr *a = &set->events.at[i]->attr;

		same = a->flags & ATTR_USE_CLOCKID && a->clockid == CLOCK_OF_JITS;
	}
	if (same)
		return 0;
	err_set(in->err, ERR_INPUT, "the recording has another clock than '%s'", path);
	return err_hint(in->err, "record with -k mono; 'report' and 'script' read the dump without "
				 "inject, whatever the clock");
}

static int jit_by_time(const void *a, const void *b)
{
	const struct jit_code *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* False: there is nothing in the dump, or no dump. */
static bool jit_begin(struct inject *in, const struct rec_mmap *m)
{
	struct jits *j = in->jits;
	struct jit_process *known = jit_find(j, m->pid);
	struct jit_process p = {.pid = m->pid, .fd = -1};
	uint32_t owner;

	if (known && !strcmp(known->dso->long_name, m->filename))
		return true; /* the runtime maps it once for each of its instances */
	p.dso = jitdump_dso(world_dsos(in->world), m->filename, (int32_t)m->pid);
	if (!jitdump_read(p.dso, &p.codes)) {
		buf_str(&in->totals->notes, "no code in '");
		buf_safe(&in->totals->notes, m->filename);
		buf_str(&in->totals->notes,
			"': it is not there, not yours (-f), or no dump of a JIT\n");
		return false;
	}
	p.fd = file_open(p.dso->source_path, &owner, NULL);
	p.seen_dir = (size_t)(strrchr(p.dso->source_path, '/') - p.dso->source_path);
	p.named_dir = (size_t)(strrchr(p.dso->long_name, '/') - p.dso->long_name);
	if (p.codes.n)
		qsort(p.codes.at, p.codes.n, sizeof(*p.codes.at), jit_by_time);
	if (check_clock(in, &p.codes, m->filename)) {
		release_process(&p);
		output_fail(&in->out);
		return true;
	}
	if (known)
		jit_forget(j, m->pid);
	vec_add(&j->processes, p);
	j->due = 0;
	return true;
}

static bool jit_take_map(struct inject *in, const struct record *r)
{
	const struct rec_mmap *m = &r->mmap;

	if ((r->header.misc & MISC_CPUMODE_MASK) != MISC_USER)
		return true;
	if (r->header.type == RECORD_MMAP2 ? m->prot & PROT_EXEC
					   : !(r->header.misc & MISC_MMAP_DATA))
		if (jitdump_is_name(m->filename))
			return !jit_begin(in, m);
	return !jit_find(in->jits, m->pid) ||
	       (strcmp(m->filename, "//anon") && strncmp(m->filename, "[anon:", 6));
}

bool jits_take(struct inject *in, const struct record *r)
{
	put_due(in, record_time(&in->rec->m, r));
	switch (r->header.type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return jit_take_map(in, r);
	case RECORD_COMM:
		if (r->header.misc & MISC_COMM_EXEC)
			jit_forget(in->jits, r->comm.pid);
		return true;
	default:
		return true;
	}
}

void jits_end(struct inject *in)
{
	put_due(in, UINT64_MAX - 1);
}
