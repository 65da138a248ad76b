// SPDX-License-Identifier: MIT
/*
 * records tally FILE: prints how many samples a recording has, how many events the kernel lost
 * (LOST), how many samples (LOST_SAMPLES), and the first and the last sample's time.
 *
 * records grow IN OUT MIB [WAYS]: writes a recording of about MIB MiB: IN with its samples repeated
 * (or the first ones). Each time they are later, by the time that IN spans, and each fourth time
 * the addresses of their chains' leaves differ by a few bytes, in WAYS ways (8): with many, what is
 * unique grows with the file. Threads and maps are those of IN, and exits come last, so that all
 * samples have names.
 *
 * For what the distribution's perf, or ours, records on this machine: a file with times; tally
 * takes compressed ones, too.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
	LOST = 2,
	EXIT = 4,
	SAMPLE = 9,
	LOST_SAMPLES = 13,
	FINISHED_ROUND = 68,
	COMPRESSED = 81,
	COMPRESSED2 = 83
};
enum { IP = 1, TID = 2, TIME = 4, ADDR = 8, READ = 16, CHAIN = 32, ID = 64, CPU = 128, PERIOD = 256,
       STREAM_ID = 512, IDENTIFIER = 1 << 16 };
#define FEATURE_SAMPLE_TIME 21
#define CONTEXT		    (-4096ull)

struct header {
	uint32_t type;
	uint16_t misc, size;
};

struct section {
	uint64_t offset, size;
};

struct file_header {
	uint64_t magic, size, attr_size;
	struct section attrs, data, types;
	uint64_t features[4];
};

struct recording {
	uint8_t *bytes;
	uint64_t size;
	struct file_header head;
	uint64_t sample_type;
	int time_at; /* words into a sample, -1: none */
	int chain_at; /* words, when nothing of another size is before it; -1: none */
	uint64_t first, last;
	uint64_t ways; /* that addresses are made to differ in */
};

static void die(const char *what)
{
	fprintf(stderr, "records: %s\n", what);
	exit(1);
}

static uint64_t word(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void layout(struct recording *r)
{
	static const uint64_t before_time[] = {IDENTIFIER, IP, TID};
	static const uint64_t before_chain[] = {TIME, ADDR, ID, STREAM_ID, CPU, PERIOD};
	int at = 0;

	for (size_t i = 0; i < sizeof(before_time) / sizeof(*before_time); i++)
		at += (r->sample_type & before_time[i]) != 0;
	r->time_at = r->sample_type & TIME ? at : -1;
	for (size_t i = 0; i < sizeof(before_chain) / sizeof(*before_chain); i++)
		at += (r->sample_type & before_chain[i]) != 0;
	r->chain_at = (r->sample_type & CHAIN) && !(r->sample_type & READ) ? at : -1;
}

static struct recording recording_open(const char *path)
{
	struct recording r = {0};
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) || (size_t)st.st_size < sizeof(r.head))
		die("cannot read the recording");
	r.size = (uint64_t)st.st_size;
	r.bytes = mmap(NULL, r.size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (r.bytes == MAP_FAILED)
		die("cannot map the recording");
	close(fd);
	memcpy(&r.head, r.bytes, sizeof(r.head));
	if (memcmp(r.bytes, "PERFILE2", 8) || r.head.data.offset + r.head.data.size > r.size ||
	    r.head.attrs.offset + 64 > r.size)
		die("not a recording");
	r.sample_type = word(r.bytes + r.head.attrs.offset + 24);
	layout(&r);
	return r;
}

/* The next record at *at, which is moved behind it; NULL: no more. */
static const uint8_t *next(const struct recording *r, uint64_t *at, struct header *h)
{
	uint64_t end = r->head.data.offset + r->head.data.size;
	const uint8_t *p = r->bytes + *at;

	if (*at + sizeof(*h) > end)
		return NULL;
	memcpy(h, p, sizeof(*h));
	if (h->size < sizeof(*h) || *at + h->size > end)
		die("a damaged record");
	*at += h->size;
	return p;
}

static uint64_t sample_time(const struct recording *r, const uint8_t *p)
{
	return r->time_at < 0 ? 0 : word(p + 8 + 8 * r->time_at);
}

static void note_time(struct recording *r, uint64_t time)
{
	r->first = r->first && r->first < time ? r->first : time;
	r->last = r->last > time ? r->last : time;
}

struct tally {
	struct recording *r;
	uint64_t samples, lost, lost_samples;
	ZSTD_DCtx *zstd;
	uint8_t *expanded; /* whole records are taken, the beginning of the next one stays */
	size_t n, room;
};

static void count(struct tally *t, const struct header *h, const uint8_t *p)
{
	if (h->type == SAMPLE) {
		t->samples++;
		note_time(t->r, sample_time(t->r, p));
	} else if (h->type == LOST) {
		t->lost += word(p + 16);
	} else if (h->type == LOST_SAMPLES) {
		t->lost_samples += word(p + 8);
	}
}

static void count_expanded(struct tally *t)
{
	size_t at = 0;
	struct header h;

	while (t->n - at >= sizeof(h)) {
		memcpy(&h, t->expanded + at, sizeof(h));
		if (h.size < sizeof(h))
			die("a damaged record");
		if (h.size > t->n - at)
			break;
		count(t, &h, t->expanded + at);
		at += h.size;
	}
	memmove(t->expanded, t->expanded + at, t->n - at);
	t->n -= at;
}

/* All of these are one stream. */
static void expand(struct tally *t, const uint8_t *p, size_t n)
{
	ZSTD_inBuffer in = {p, n, 0};
	ZSTD_outBuffer out;
	size_t left;

	if (!t->zstd) {
		t->zstd = ZSTD_createDCtx();
		t->room = 1 << 20;
		t->expanded = malloc(t->room);
	}
	if (!t->zstd || !t->expanded)
		die("no memory");
	do {
		out = (ZSTD_outBuffer){t->expanded, t->room, t->n};
		left = ZSTD_decompressStream(t->zstd, &out, &in);
		if (ZSTD_isError(left))
			die("what is compressed cannot be expanded");
		t->n = out.pos;
		count_expanded(t);
	} while (in.pos < in.size || out.pos == out.size);
}

static int tally(const char *path)
{
	struct recording r = recording_open(path);
	struct tally t = {.r = &r};
	uint64_t at = r.head.data.offset;
	struct header h;
	const uint8_t *p;

	while ((p = next(&r, &at, &h))) {
		if (h.type == COMPRESSED)
			expand(&t, p + sizeof(h), h.size - sizeof(h));
		else if (h.type == COMPRESSED2 && h.size >= 16 && word(p + 8) <= h.size - 16u)
			expand(&t, p + 16, word(p + 8));
		else
			count(&t, &h, p);
	}
	ZSTD_freeDCtx(t.zstd);
	free(t.expanded);
	printf("%llu %llu %llu %llu %llu\n", (unsigned long long)t.samples,
	       (unsigned long long)t.lost, (unsigned long long)t.lost_samples,
	       (unsigned long long)r.first, (unsigned long long)r.last);
	return 0;
}

static void put(FILE *f, const void *p, uint64_t n)
{
	if (fwrite(p, 1, n, f) != n)
		die("cannot write");
}

/* A sample as it is the k-th time. */
static void put_sample(const struct recording *r, const uint8_t *p, uint16_t size, uint64_t k,
		       uint64_t span, FILE *out)
{
	uint64_t words[8192], nr;
	uint64_t *body = words + 1;

	memcpy(words, p, size);
	body[r->time_at] += k * span;
	if (r->chain_at >= 0 && k % 4 == 3) {
		uint64_t turn = k / 4 % r->ways + 1, limit = size / 8u - 2u - (uint64_t)r->chain_at;

		nr = body[r->chain_at];
		if ((r->sample_type & IP) && nr <= limit) {
			uint64_t *ip = &body[(r->sample_type & IDENTIFIER) != 0];

			for (uint64_t i = 1; i <= nr; i++)
				if (body[(uint64_t)r->chain_at + i] < CONTEXT) {
					body[(uint64_t)r->chain_at + i] += turn;
					break;
				}
			*ip += turn;
		}
	}
	put(out, words, size);
}

/* All of them the k-th time, or as many as fit into max bytes. */
static uint64_t put_samples(const struct recording *r, uint64_t k, uint64_t span, uint64_t max,
			    FILE *out)
{
	static const struct header round = {FINISHED_ROUND, 0, sizeof(round)};
	uint64_t at = r->head.data.offset, written = 0;
	struct header h;
	const uint8_t *p;

	while ((p = next(r, &at, &h))) {
		if (h.type == SAMPLE && written >= max)
			continue;
		else if (h.type == SAMPLE)
			put_sample(r, p, h.size, k, span, out);
		else if (h.type == FINISHED_ROUND)
			put(out, &round, sizeof(round));
		else if (k == 0 && h.type != EXIT)
			put(out, p, h.size);
		else
			continue;
		written += h.size;
	}
	put(out, &round, sizeof(round));
	return written + sizeof(round);
}

/* Their own times, in the body and at the end, stay: only rounds put them in order. */
static uint64_t put_exits(const struct recording *r, uint64_t later, FILE *out)
{
	uint64_t at = r->head.data.offset, written = 0, words[8];
	struct header h;
	const uint8_t *p;
	/* sample_id ends in: tid, time, [id], [stream id], [cpu], [identifier] */
	int from_end = 1 + !!(r->sample_type & ID) + !!(r->sample_type & STREAM_ID) +
		       !!(r->sample_type & CPU) + !!(r->sample_type & IDENTIFIER);

	while ((p = next(r, &at, &h))) {
		if (h.type != EXIT || h.size > sizeof(words) || h.size / 8 < 4 + from_end)
			continue;
		memcpy(words, p, h.size);
		words[3] += later;
		words[h.size / 8 - from_end] += later;
		put(out, words, h.size);
		written += h.size;
	}
	return written;
}

static void put_features(const struct recording *r, uint64_t data_end, uint64_t later, FILE *out)
{
	uint64_t table = r->head.data.offset + r->head.data.size;
	uint64_t moved = data_end - table;
	uint8_t *tail = malloc(r->size - table);
	size_t at = 0;

	if (!tail)
		die("no memory");
	memcpy(tail, r->bytes + table, r->size - table);
	for (unsigned int bit = 0; bit < 256; bit++) {
		struct section s;

		if (!(r->head.features[bit / 64] >> bit % 64 & 1))
			continue;
		memcpy(&s, tail + at, sizeof(s));
		if (bit == FEATURE_SAMPLE_TIME && s.size >= 16 && s.offset + 16 <= r->size &&
		    s.offset >= table) {
			uint64_t last = word(tail + (s.offset - table) + 8) + later;

			memcpy(tail + (s.offset - table) + 8, &last, sizeof(last));
		}
		s.offset += moved;
		memcpy(tail + at, &s, sizeof(s));
		at += sizeof(s);
	}
	put(out, tail, r->size - table);
	free(tail);
}

static int grow(const char *from, const char *to, uint64_t bytes, uint64_t ways)
{
	struct recording r = recording_open(from);
	uint64_t at = r.head.data.offset, span, times = 0, written = 0;
	FILE *out = fopen(to, "w");
	struct header h;
	const uint8_t *p;

	if (!out)
		die("cannot write");
	if (!ways)
		die("how many ways?");
	r.ways = ways;
	if (r.time_at < 0)
		die("a recording without times");
	while ((p = next(&r, &at, &h))) {
		if (h.type == COMPRESSED || h.type == COMPRESSED2)
			die("a compressed recording");
		if (h.type == SAMPLE)
			note_time(&r, sample_time(&r, p));
	}
	if (!r.last)
		die("a recording without samples");
	span = r.last - r.first + 1;
	setvbuf(out, NULL, _IOFBF, 1 << 20);
	put(out, r.bytes, r.head.data.offset);
	do
		written += put_samples(&r, times++, span, bytes - written, out);
	while (written < bytes);
	written += put_exits(&r, (times - 1) * span, out);
	put_features(&r, r.head.data.offset + written, (times - 1) * span, out);
	r.head.data.size = written;
	if (fseek(out, 0, SEEK_SET))
		die("cannot write");
	put(out, &r.head, sizeof(r.head));
	if (fclose(out))
		die("cannot write");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "tally"))
		return tally(argv[2]);
	if ((argc == 5 || argc == 6) && !strcmp(argv[1], "grow"))
		return grow(argv[2], argv[3], (uint64_t)strtoull(argv[4], NULL, 10) << 20,
			    argc == 6 ? strtoull(argv[5], NULL, 10) : 8);
	fprintf(stderr, "usage: records tally FILE, records grow IN OUT MIB [WAYS]\n");
	return 2;
}
