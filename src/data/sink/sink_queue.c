// SPDX-License-Identifier: MIT
#include "data/sink/sink_queue.h"

#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#define KEEP_FREE  8 /* buffers that stay allocated */
#define MERGE_MOST ((size_t)16 << 10) /* copied with the lock held */
#define PIECE_MOST ((size_t)256 << 10)

struct piece {
	struct piece *next;
	struct buf bytes;
	uint64_t pos;
};

struct sink_queue {
	pthread_t thread;
	size_t most;
	pthread_mutex_t lock;
	pthread_cond_t more, less; /* pieces */
	/* shared */
	struct piece *first, **end, *free;
	unsigned int idle; /* pieces in free */
	size_t held;	   /* bytes that wait or are being written */
	uint64_t written;
	int fd, tid;
	int failed; /* errno */
	bool is_pipe, stop;
};

static ssize_t write_some(const struct sink_queue *q, const struct piece *p, size_t done)
{
	const char *at = p->bytes.at + done;
	size_t n = p->bytes.n - done;

	return q->is_pipe ? write(q->fd, at, n) : pwrite(q->fd, at, n, (off_t)(p->pos + done));
}

/* Writes a piece. Returns the number of bytes written; fewer than all: *why is the errno. */
static size_t write_piece(const struct sink_queue *q, const struct piece *p, int *why)
{
	size_t done = 0;

	while (done < p->bytes.n) {
		ssize_t n = write_some(q, p, done);

		if (n >= 0) {
			done += (size_t)n;
		} else if (errno != EINTR && errno != EAGAIN) {
			*why = errno;
			break;
		}
	}
	return done;
}

static void piece_free(struct piece *p)
{
	buf_release(&p->bytes);
	free(p);
}

/* Frees a piece, or keeps it for reuse. With the lock held. */
static void give_back(struct sink_queue *q, struct piece *p)
{
	q->held -= p->bytes.n;
	if (q->idle >= KEEP_FREE) {
		piece_free(p);
		return;
	}
	buf_clear(&p->bytes);
	p->next = q->free;
	q->free = p;
	q->idle++;
}

static struct piece *sink_queue_take(struct sink_queue *q)
{
	struct piece *p = q->first;

	if (p) {
		q->first = p->next;
		if (!q->first)
			q->end = &q->first;
	}
	return p;
}

static void *sink_queue_work(void *arg)
{
	struct sink_queue *q = arg;

	pthread_mutex_lock(&q->lock);
	q->tid = gettid();
	pthread_cond_broadcast(&q->less);
	for (;;) {
		struct piece *p = sink_queue_take(q);

		if (!p && q->stop)
			break;
		if (!p) {
			pthread_cond_wait(&q->more, &q->lock);
			continue;
		}
		if (!q->failed) {
			size_t done;
			int why = 0;

			pthread_mutex_unlock(&q->lock);
			done = write_piece(q, p, &why);
			pthread_mutex_lock(&q->lock);
			q->failed = why;
			if (p->pos <= q->written && p->pos + done > q->written)
				q->written = p->pos + done;
		}
		give_back(q, p);
		pthread_cond_broadcast(&q->less);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

struct sink_queue *sink_queue_new(size_t most, struct err *err)
{
	struct sink_queue *q = NEW(struct sink_queue);
	int got;

	q->most = most;
	q->end = &q->first;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->more, NULL);
	pthread_cond_init(&q->less, NULL);
	got = pthread_create(&q->thread, NULL, sink_queue_work, q);
	if (got) {
		err_sys(err, got, "cannot start the thread that writes");
		free(q);
		return NULL;
	}
	pthread_mutex_lock(&q->lock);
	while (!q->tid)
		pthread_cond_wait(&q->less, &q->lock);
	pthread_mutex_unlock(&q->lock);
	return q;
}

void sink_queue_free(struct sink_queue *q)
{
	struct piece *p;

	if (!q)
		return;
	pthread_mutex_lock(&q->lock);
	q->stop = true;
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->lock);
	pthread_join(q->thread, NULL);
	while ((p = q->free)) {
		q->free = p->next;
		piece_free(p);
	}
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->more);
	pthread_cond_destroy(&q->less);
	free(q);
}

int sink_queue_tid(const struct sink_queue *q)
{
	return q->tid;
}

void sink_queue_begin(struct sink_queue *q, int fd, bool is_pipe, uint64_t pos)
{
	pthread_mutex_lock(&q->lock);
	q->fd = fd;
	q->is_pipe = is_pipe;
	q->written = pos;
	q->failed = 0;
	pthread_mutex_unlock(&q->lock);
}

/* Appends a small piece to the last waiting one that it follows. False when the thread has taken
 * that one, or it is too large. */
static bool merge(struct sink_queue *q, uint64_t pos, const struct buf *b)
{
	struct piece *last;

	if (!q->first || b->n > MERGE_MOST)
		return false;
	last = (struct piece *)(void *)((char *)q->end - offsetof(struct piece, next));
	if (last->pos + last->bytes.n != pos || last->bytes.n + b->n > PIECE_MOST)
		return false;
	buf_add(&last->bytes, b->at, b->n);
	q->held += b->n;
	return true;
}

static void sink_queue_push(struct sink_queue *q, uint64_t pos, struct buf *b)
{
	struct piece *p = q->free;
	struct buf empty;

	if (p) {
		q->free = p->next;
		q->idle--;
	} else {
		p = NEW(struct piece);
	}
	empty = p->bytes;
	p->bytes = *b;
	p->pos = pos;
	p->next = NULL;
	*b = empty;
	*q->end = p;
	q->end = &p->next;
	q->held += p->bytes.n;
}

int sink_queue_put(struct sink_queue *q, uint64_t pos, struct buf *b)
{
	int failed;

	pthread_mutex_lock(&q->lock);
	while (q->held && q->held + b->n > q->most && !q->failed)
		pthread_cond_wait(&q->less, &q->lock);
	failed = q->failed;
	if (!failed && b->n) {
		if (merge(q, pos, b))
			buf_clear(b);
		else
			sink_queue_push(q, pos, b);
		pthread_cond_signal(&q->more);
	}
	pthread_mutex_unlock(&q->lock);
	return failed;
}

int sink_queue_wait(struct sink_queue *q)
{
	int failed;

	pthread_mutex_lock(&q->lock);
	while (q->held)
		pthread_cond_wait(&q->less, &q->lock);
	failed = q->failed;
	pthread_mutex_unlock(&q->lock);
	return failed;
}

uint64_t sink_queue_written(struct sink_queue *q)
{
	uint64_t written;

	pthread_mutex_lock(&q->lock);
	written = q->written;
	pthread_mutex_unlock(&q->lock);
	return written;
}
