// SPDX-License-Identifier: MIT
#include "view/convert/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_PREFIX "perf_stream_"
/* A packet ends with the event that makes it this large. */
#define PACKET_BYTES (1u << 18)
/* CPUs from this number on share the first stream. */
#define STREAMS_MAX 4096
/* Bytes of a packet's header and context. */
#define PACKET_HEAD (4 + 16 + 4 + 5 * 8 + 4)

struct ctf_stream {
	int fd; /* -1: not created yet */
	uint32_t cpu;
	uint64_t first, last; /* time of the packet's first event, of the stream's last event */
	struct buf packet;
};

struct ctf {
	struct convert *c;
	const char *folder;
	uint8_t uuid[16];
	VEC(struct ctf_stream) streams; /* by CPU */
};

static uint64_t get_ip(const struct sample *s)
{
	return s->ip;
}
static uint64_t get_tid(const struct sample *s)
{
	return s->tid;
}
static uint64_t get_pid(const struct sample *s)
{
	return s->pid;
}
static uint64_t get_id(const struct sample *s)
{
	return s->id;
}
static uint64_t get_stream_id(const struct sample *s)
{
	return s->stream_id;
}
static uint64_t get_period(const struct sample *s)
{
	return s->period;
}
static uint64_t get_weight(const struct sample *s)
{
	return s->weight;
}
static uint64_t get_data_src(const struct sample *s)
{
	return s->data_src;
}
static uint64_t get_transaction(const struct sample *s)
{
	return s->transaction;
}

const struct ctf_generic ctf_generics[] = {
	{SAMPLE_IP, "x64", "perf_ip", 8, get_ip},
	{SAMPLE_TID, "s32", "perf_tid", 4, get_tid},
	{SAMPLE_TID, "s32", "perf_pid", 4, get_pid},
	{SAMPLE_ID | SAMPLE_IDENTIFIER, "u64", "perf_id", 8, get_id},
	{SAMPLE_STREAM_ID, "u64", "perf_stream_id", 8, get_stream_id},
	{SAMPLE_PERIOD, "u64", "perf_period", 8, get_period},
	{SAMPLE_WEIGHT, "u64", "perf_weight", 8, get_weight},
	{SAMPLE_DATA_SRC, "u64", "perf_data_src", 8, get_data_src},
	{SAMPLE_TRANSACTION, "u64", "perf_transaction", 8, get_transaction},
	{0},
};

/* Appends a number in little-endian order, on any machine. */
static void ctf_number(struct buf *b, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_char(b, (char)(v >> 8 * i));
}

static void ctf_string(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text) + 1);
}

/* Appends a string of at most n bytes, which may lack its NUL. */
static void ctf_text(struct buf *b, const uint8_t *text, size_t n)
{
	buf_add(b, text, strnlen((const char *)text, n));
	buf_char(b, '\0');
}

/* -- packets -- */

static int ctf_write(const struct ctf *w, struct ctf_stream *s)
{
	AUTO_CHAR *path = mem_printf("%s/" STREAM_PREFIX "%u", w->folder, s->cpu);

	if (s->fd < 0)
		s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (s->fd < 0)
		return err_sys(w->c->err, errno, "cannot write '%s'", path);
	for (size_t done = 0; done < s->packet.n;) {
		const ssize_t n = write(s->fd, s->packet.at + done, s->packet.n - done);

		if (n < 0 && errno != EINTR)
			return err_sys(w->c->err, errno, "cannot write '%s'", path);
		done += n < 0 ? 0 : (size_t)n;
	}
	buf_clear(&s->packet);
	return 0;
}

/* Writes the packet, with its header and context. The format has sizes in bits. */
static int ctf_end_packet(const struct ctf *w, struct ctf_stream *s)
{
	AUTO_BUF head = {0};

	if (s->packet.n <= PACKET_HEAD)
		return 0;
	ctf_number(&head, CTF_MAGIC, 4);
	buf_add(&head, w->uuid, 16);
	ctf_number(&head, 0, 4);
	ctf_number(&head, s->first, 8);
	ctf_number(&head, s->last, 8);
	ctf_number(&head, 8 * s->packet.n, 8);
	ctf_number(&head, 8 * s->packet.n, 8);
	ctf_number(&head, 0, 8);
	ctf_number(&head, s->cpu, 4);
	memcpy(s->packet.at, head.at, head.n);
	return ctf_write(w, s);
}

static struct ctf_stream *ctf_stream(struct ctf *w, uint32_t cpu)
{
	const uint32_t cpus = w->c->rec->nr_cpus_avail ? w->c->rec->nr_cpus_avail : STREAMS_MAX;

	if (cpu >= MIN(cpus, STREAMS_MAX))
		cpu = 0;
	for (uint32_t next = (uint32_t)w->streams.n; next <= cpu; next++)
		vec_add(&w->streams, (struct ctf_stream){.fd = -1, .cpu = next});
	return &w->streams.at[cpu];
}

/* Begins an event. Times of a stream must not go back, and readers take 63 bits. An event with no
 * time, an earlier one or a damaged one gets the time of the event before it. */
static struct buf *ctf_begin_event(struct ctf_stream *s, size_t id, uint64_t time)
{
	if (time > s->last && time <= INT64_MAX)
		s->last = time;
	if (!s->packet.n) {
		buf_fill(&s->packet, '\0', PACKET_HEAD);
		s->first = s->last;
	}
	ctf_number(&s->packet, id, 4);
	ctf_number(&s->packet, s->last, 8);
	return &s->packet;
}

static int ctf_end_event(const struct ctf *w, struct ctf_stream *s)
{
	return s->packet.n < PACKET_BYTES ? REPLAY_GO : ctf_end_packet(w, s);
}

/* -- events -- */

static void ctf_sequence(struct buf *b, const void *p, size_t n)
{
	n = p ? n : 0;
	ctf_number(b, n, 4);
	buf_add(b, p, n);
}

static void ctf_field(const struct tp_formats *formats, const struct tp_field *f,
		      const struct sample *s, struct buf *b)
{
	const uint32_t size = ctf_field_size(f);
	const uint8_t *p;
	size_t n;

	switch (ctf_field_kind(f)) {
	case CTF_NUMBER:
		ctf_number(b, tp_field_u64(formats, f, s->raw, s->raw_size), size);
		break;
	case CTF_STRING:
		p = tp_field_bytes(formats, f, s->raw, s->raw_size, &n);
		if (p)
			ctf_text(b, p, n);
		else
			ctf_string(b, "");
		break;
	case CTF_SEQUENCE:
		p = tp_field_bytes(formats, f, s->raw, s->raw_size, &n);
		ctf_sequence(b, p, n);
		break;
	case CTF_ARRAY:
		for (uint32_t at = 0; at + size <= f->size; at += size)
			ctf_number(b,
				   (uint64_t)f->offset + at + size <= s->raw_size
					   ? tp_raw_number(s->raw + f->offset + at, size,
							   formats->swap, f->is_signed)
					   : 0,
				   size);
	}
}

static int ctf_sample(struct convert *c, const struct record *r, const struct thread *t,
		      uint32_t epoch)
{
	struct ctf *w = c->ctx;
	const struct sample *s = &r->sample;
	const uint64_t type = r->event->attr.sample_type;
	struct ctf_stream *stream = ctf_stream(w, s->type & SAMPLE_CPU ? s->cpu : 0);
	struct buf *b;

	(void)t;
	(void)epoch;
	b = ctf_begin_event(stream, r->event->index, s->type & SAMPLE_TIME ? s->time : 0);
	for (const struct ctf_generic *g = ctf_generics; g->name; g++)
		if (type & g->type)
			ctf_number(b, g->get(s), g->size);
	if (type & SAMPLE_CALLCHAIN) {
		ctf_number(b, s->callchain_nr, 4);
		for (uint64_t i = 0; i < s->callchain_nr; i++)
			ctf_number(b, s->callchain[i], 8);
	}
	if (type & SAMPLE_RAW && r->event->attr.type == TYPE_TRACEPOINT) {
		const struct tp_format *format =
			tp_formats_find(&c->rec->m.formats, (uint32_t)r->event->attr.config);

		for (size_t i = 0; format && i < format->fields.n; i++)
			ctf_field(&c->rec->m.formats, &format->fields.at[i], s, b);
	}
	return ctf_end_event(w, stream);
}

static void ctf_task(struct buf *b, const struct rec_task *t)
{
	ctf_number(b, t->pid, 4);
	ctf_number(b, t->ppid, 4);
	ctf_number(b, t->tid, 4);
	ctf_number(b, t->ptid, 4);
	ctf_number(b, t->time, 8);
}

static void ctf_mmap(struct buf *b, const struct rec_mmap *m)
{
	ctf_number(b, m->pid, 4);
	ctf_number(b, m->tid, 4);
	ctf_number(b, m->addr, 8);
	ctf_string(b, m->filename);
}

static int ctf_other(struct convert *c, const struct record *r)
{
	static const struct {
		uint32_t type;
		enum ctf_other class;
	} classes[] = {
		{RECORD_COMM, CTF_COMM}, {RECORD_FORK, CTF_FORK},   {RECORD_EXIT, CTF_EXIT},
		{RECORD_MMAP, CTF_MMAP}, {RECORD_MMAP2, CTF_MMAP2},
	};
	struct ctf *w = c->ctx;
	struct ctf_stream *stream;
	struct buf *b;
	size_t i = 0;

	while (i < ARRAY_SIZE(classes) && classes[i].type != r->header.type)
		i++;
	if (!c->all || i == ARRAY_SIZE(classes))
		return REPLAY_GO;
	c->others++;
	c->bytes += r->header.size;
	stream = ctf_stream(w, 0);
	b = ctf_begin_event(stream, c->rec->m.events.events.n + classes[i].class,
			    r->id.has & SAMPLE_TIME ? r->id.time : 0);
	if (r->header.type == RECORD_COMM) {
		ctf_number(b, r->comm.pid, 4);
		ctf_number(b, r->comm.tid, 4);
		ctf_string(b, r->comm.comm);
	} else if (r->header.type == RECORD_FORK || r->header.type == RECORD_EXIT) {
		ctf_task(b, &r->task);
	} else {
		ctf_mmap(b, &r->mmap);
	}
	return ctf_end_event(w, stream);
}

/* -- the trace -- */

static int ctf_write_metadata(const struct ctf *w, struct err *err)
{
	AUTO_CHAR *path = mem_printf("%s/metadata", w->folder);
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct out out;
	int failed;

	if (fd < 0)
		return err_sys(err, errno, "cannot write '%s'", path);
	out_init(&out, fd);
	ctf_metadata(w->c, w->uuid, &out.buf);
	failed = out_end(&out, err);
	out_release(&out);
	close(fd);
	return failed;
}

/* Creates the folder. Removes streams of an older trace: readers refuse a folder with both. */
static int ctf_make_folder(const char *folder, bool force, struct err *err)
{
	struct dirent *e;
	DIR *dir;

	if (!mkdir(folder, 0777))
		return 0;
	if (errno != EEXIST)
		return err_sys(err, errno, "cannot make '%s'", folder);
	dir = opendir(folder);
	if (!dir)
		return err_sys(err, errno, "cannot open '%s'", folder);
	while ((e = readdir(dir))) {
		const bool ours = !strcmp(e->d_name, "metadata") ||
				  !strncmp(e->d_name, STREAM_PREFIX, strlen(STREAM_PREFIX));

		if (*e->d_name == '.')
			continue;
		if (ours && force && !unlinkat(dirfd(dir), e->d_name, 0))
			continue;
		closedir(dir);
		err_set(err, ERR_INPUT, "'%s' is not empty", folder);
		return err_hint(err, "-f writes over a trace that is there");
	}
	closedir(dir);
	return 0;
}

static void ctf_make_uuid(struct ctf *w)
{
	const struct recording *rec = w->c->rec;
	AUTO_BUF key = {0};
	struct hash128 hash;

	buf_printf(&key, "%s %lld %lld %llu", rec->hostname ? rec->hostname : "",
		   (long long)rec->mtime, (long long)rec->mtime_ns,
		   (unsigned long long)rec->file_size);
	hash = hash_bytes128(key.at, key.n, 0);
	memcpy(w->uuid, &hash, 16);
	w->uuid[6] = 0x80 | (w->uuid[6] & 15); /* RFC 9562: version 8, a custom UUID */
	w->uuid[8] = 0x80 | (w->uuid[8] & 63);
}

int convert_ctf(struct convert *c, const char *folder, struct err *err)
{
	static const struct convert_format format = {.sample = ctf_sample, .other = ctf_other};
	struct ctf w = {.c = c, .folder = folder};
	int failed;

	if (ctf_make_folder(folder, c->rec->how.force, err))
		return -1;
	ctf_make_uuid(&w);
	c->ctx = &w;
	failed = convert_run(c, &format, err);
	for (size_t i = 0; i < w.streams.n; i++) {
		struct ctf_stream *s = &w.streams.at[i];

		if (!failed)
			failed = ctf_end_packet(&w, s);
		if (s->fd >= 0 && close(s->fd) && !failed)
			failed = err_sys(err, errno, "cannot write '%s'", folder);
		buf_release(&s->packet);
	}
	vec_release(&w.streams);
	return failed ? -1 : ctf_write_metadata(&w, err);
}
