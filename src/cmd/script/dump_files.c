// SPDX-License-Identifier: MIT
#include "cmd/script/dump_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int dumps_open(struct script *s, struct dump_files *d, struct err *err)
{
	const struct event_set *set = &s->rec->m.events;

	while (d->files.n < set->events.n) {
		size_t i = d->files.n;
		struct dump_file *f = NEW(struct dump_file);
		int fd;

		f->path = mem_printf("%s.%s.dump", s->rec->path, set->events.at[i]->name);
		fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		out_init(&f->out, fd);
		vec_add(&d->files, f);
		s->dumps = mem_resize(s->dumps, d->files.n * sizeof(*s->dumps));
		s->dumps[i] = (struct script_dump){.out = &f->out.buf};
		if (fd < 0)
			return err_sys(err, errno, "cannot create '%s'", f->path);
	}
	return 0;
}

int dumps_close(struct script *s, struct dump_files *d, struct buf *out, struct err *err)
{
	int failed = 0;

	for (size_t i = 0; i < d->files.n; i++) {
		struct dump_file *f = d->files.at[i];
		struct stat st = {0};

		if (f->out.fd >= 0) {
			failed |= out_end(&f->out, failed ? NULL : err);
			fstat(f->out.fd, &st);
			close(f->out.fd);
		}
		buf_printf(out, "[ perf script: Wrote %.3f MB %s (%llu samples) ]\n",
			   (double)st.st_size / 1024 / 1024, f->path,
			   (unsigned long long)s->dumps[i].samples);
		out_release(&f->out);
		free(f->path);
		free(f);
	}
	vec_release(&d->files);
	free(s->dumps);
	s->dumps = NULL;
	return failed;
}

bool dumps_ready(struct dump_files *d)
{
	bool ready = true;

	for (size_t i = 0; i < d->files.n; i++)
		ready &= out_ready(&d->files.at[i]->out);
	return ready;
}
