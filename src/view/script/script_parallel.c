// SPDX-License-Identifier: MIT
#include "view/script/script_parallel.h"

#include "data/source/batch.h"

#define BYTES_OF_FIRST (64u << 10) /* of the first batch: a small one, so that text appears soon */
#define BYTES_OF_WORKER	  (2u << 20)   /* of a batch, for each worker, which it wakes once */
#define TEXT_OF_WORKER	  (3u << 20)   /* of a batch's text, roughly */
#define BYTES_WITH_LINES  (4u << 20) /* of a batch: more means fewer repeated reads */
#define BYTES_MAX	  (8u << 20)
/* After a batch (unless it is small) with fewer than LINES_WORTH line lookups, the next
 * BATCHES_WITHOUT batches look up lines one by one. */
#define LINES_WORTH	  16
#define BATCHES_WITHOUT	  16
#define PIECES_OF_WORKER  4
#define PIECE_LEAST	  (16u << 10)
#define MEMORY_OF_WORKERS (64u << 20) /* for cached texts of frames and chains */
#define MEMORY_LEAST	  (4u << 20)

/* A run of neighbours among a batch's records, and their text. */
struct piece {
	size_t first, n;
	struct buf text;
	struct script_words words; /* of the chains that were unwound ahead */
};

/* A note for each record: a sample's moment, or where another record's text is in stage.told. */
struct note {
	union {
		struct {
			struct script_moment moment;
			bool unwound; /* its chain was unwound ahead */
			uint32_t n_words; /* in piece.words, behind those of the sample before */
		};
		struct {
			size_t at, n;
		} told;
	};
};

struct stage {
	struct batch batch;
	VEC(struct note) notes; /* one for each record */
	struct buf told;	/* the text of records that are no samples */
	VEC(struct piece) pieces;
	size_t n_pieces; /* pieces in use */
};

/* State of one worker thread. */
struct script_worker {
	struct script script;
	struct batch_decoder decoder;
	struct line_questions questions;
};

struct parallel {
	const struct script_parallel *how;
	struct script_worker *workers;
	struct batch_reader reader;
	struct batch_decoder decoder; /* of records that are no samples */
	size_t thread_at;	      /* offset of pid and tid in a sample */
	bool swap;
	bool has_lines;
	bool ahead;	  /* lines of this batch are looked up ahead */
	unsigned int wait; /* batches until lines are looked up ahead again */
	VEC(struct line_question) questions;
	struct stage stages[3];
	struct stage *reads, *shows, *writes;
	size_t bytes; /* of the next batch */
	size_t text;  /* bytes of text of the last batch shown */
	size_t records_of_text;
	int got;      /* what the source last returned */
	bool gone;    /* the reader of the text has gone */
	struct err *err;
	/* the thread of the previous sample */
	struct thread *thread;
	uint64_t thread_ids;
};

static bool script_parallel_is_shown(const struct script *s, uint64_t field, uint64_t sample_bit)
{
	const struct event_set *set = &s->rec->m.events;

	for (size_t i = 0; i < set->events.n; i++) {
		const struct attr *a = &set->events.at[i]->attr;

		if (a->sample_type & sample_bit &&
		    s->fields.types[output_type(a->type)].fields & field)
			return true;
	}
	return false;
}

bool script_parallel_pays(const struct script *s)
{
	const struct event_set *set = &s->rec->m.events;

	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];

		if (ev->attr.sample_type & SAMPLE_STACK_USER && script_has_chain(s, ev) &&
		    s->fields.types[output_type(ev->attr.type)].fields & FIELD_IP)
			return true;
	}
	return false;
}

bool script_parallel_can(const struct script *s)
{
	const struct recording *rec = s->rec;
	size_t thread_at;

	if (rec->is_pipe || !rec->m.sample_id_all || measurement_defers_chains(&rec->m) ||
	    measurement_samples_any(&rec->m, SAMPLE_READ) ||
	    !measurement_samples_alike(&rec->m, &thread_at))
		return false;
	if (s->reltime || s->deltatime || s->debug || s->dump || s->unsorted || s->dumps ||
	    s->switches.on || s->switches.off || world_guests(s->world)->wanted)
		return false;
	/* filtered CPUs: the world learns of a thread by its first sample that passes. Cgroups: a
	 * name may change. Data sources: the width of the column grows with its texts. */
	return !s->filter.cpus.given && !script_parallel_is_shown(s, FIELD_CGROUP, SAMPLE_CGROUP) &&
	       !script_parallel_is_shown(s, FIELD_DATA_SRC, SAMPLE_DATA_SRC);
}

static uint64_t word_at(const struct parallel *p, const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return p->swap ? __builtin_bswap64(word) : word;
}

/* Reads pid and tid, swapped where the recording's byte order differs. */
static void ids_at(const struct parallel *p, const uint8_t *at, uint32_t ids[2])
{
	memcpy(ids, at, 2 * sizeof(*ids));
	for (int i = 0; i < 2 && p->swap; i++)
		ids[i] = __builtin_bswap32(ids[i]);
}

/* The moment of a sample; all zero when the sample is too short to have a pid and tid. Such a
 * sample cannot be decoded either. */
static struct script_moment moment_of(struct parallel *p, const struct batch_record *at)
{
	const struct script *s = p->how->s;
	const uint8_t *thread = at->p + p->thread_at;
	uint64_t key, time;

	if (at->size < p->thread_at + 16)
		return (struct script_moment){0};
	memcpy(&key, thread, sizeof(key));
	if (!p->thread || key != p->thread_ids) {
		uint32_t ids[2];

		ids_at(p, thread, ids);
		p->thread = world_thread(s->world, ids[0], ids[1], WORLD_NOW);
		p->thread_ids = key;
	}
	time = word_at(p, thread + 8);
	/* samples of guests are shown in order, not here */
	return script_moment(s, p->thread, MISC_USER, time == UINT64_MAX ? 0 : time);
}

/* Hands a record that is no sample to the replay. Returns what replay_add() returns. */
static int script_parallel_tell(struct parallel *p, struct stage *st, const struct batch_record *at)
{
	struct script *s = p->how->s;
	struct record r;

	p->thread = NULL;
	s->out = &st->told;
	return batch_decode(&p->decoder, at, &r) ? replay_add(p->how->replay, &r) : REPLAY_GO;
}

/* Notes all records of the batch in order. -1 on an error: the records behind it get no notes. */
static int note_all(struct parallel *p, struct stage *st)
{
	struct batch *b = &st->batch;
	int told = REPLAY_GO;

	vec_clear(&st->notes);
	buf_clear(&st->told);
	for (size_t i = 0; i < b->records.n && told == REPLAY_GO; i++) {
		const struct batch_record *at = &b->records.at[i];
		struct note note = {0};

		if (at->type == RECORD_SAMPLE) {
			note.moment = moment_of(p, at);
		} else {
			size_t before = st->told.n;

			told = script_parallel_tell(p, st, at);
			note.told.at = before;
			note.told.n = st->told.n - before;
		}
		vec_add(&st->notes, note);
	}
	p->gone = p->gone || told == REPLAY_STOP;
	return told < 0 ? -1 : 0;
}

static void cut(struct stage *st, size_t piece_bytes)
{
	size_t bytes = 0;

	st->n_pieces = 0;
	for (size_t i = 0; i < st->notes.n; i++) {
		if (!bytes) {
			if (st->n_pieces == st->pieces.n)
				vec_add(&st->pieces, (struct piece){0});
			st->pieces.at[st->n_pieces++].first = i;
		}
		st->pieces.at[st->n_pieces - 1].n = i + 1 - st->pieces.at[st->n_pieces - 1].first;
		bytes += st->batch.records.at[i].size;
		if (bytes >= piece_bytes)
			bytes = 0;
	}
}

static void show_piece(const struct stage *st, struct piece *piece, struct script_worker *w)
{
	const uint64_t *words = piece->words.at;
	struct record r;

	buf_clear(&piece->text);
	for (size_t i = piece->first; i < piece->first + piece->n; i++) {
		const struct batch_record *at = &st->batch.records.at[i];
		const struct note *note = &st->notes.at[i];

		if (at->type == RECORD_SAMPLE) {
			w->script.frames.has_ahead = note->unwound;
			w->script.frames.ahead = words;
			w->script.frames.n_ahead = note->n_words;
			words += note->n_words;
			if (batch_decode(&w->decoder, at, &r))
				script_show(&w->script, &r, &note->moment, &piece->text);
		} else if (note->told.n) {
			buf_add(&piece->text, st->told.at + note->told.at, note->told.n);
		}
	}
}

/* Unwinds the stacks of a piece, and gathers its line lookups. Restores the losses: samples that
 * cannot be decoded are counted when they are shown. */
static void ask_piece(const struct stage *st, struct piece *piece, struct script_worker *w)
{
	const struct losses before = w->decoder.losses;
	struct record r;

	vec_clear(&piece->words);
	for (size_t i = piece->first; i < piece->first + piece->n; i++) {
		const struct batch_record *at = &st->batch.records.at[i];
		struct note *note = &st->notes.at[i];
		size_t n = piece->words.n;

		if (at->type != RECORD_SAMPLE || !batch_decode(&w->decoder, at, &r))
			continue;
		note->unwound =
			script_ask(&w->script, &r, &note->moment, &w->questions, &piece->words);
		note->n_words = (uint32_t)(piece->words.n - n);
	}
	w->decoder.losses = before;
}

static void look_up(struct parallel *p, const struct pool *pool)
{
	vec_clear(&p->questions);
	for (unsigned int i = 0; i < pool_size(pool); i++) {
		struct line_questions *q = &p->workers[i].questions;

		for (size_t k = 0; k < q->asked.n; k++)
			vec_add(&p->questions, q->asked.at[k]);
		vec_clear(&q->asked);
	}
	if (dso_sources(p->how->line_pool, p->questions.at, p->questions.n) < LINES_WORTH &&
	    p->shows->batch.bytes >= BYTES_WITH_LINES / 2)
		p->wait = BATCHES_WITHOUT;
}

static void read_batch(struct parallel *p)
{
	batch_clear(&p->reads->batch);
	if (p->got > 0)
		p->got = batch_next(&p->reader, &p->reads->batch, p->bytes, p->err);
}

static void write_batch(struct parallel *p)
{
	p->text = 0;
	p->records_of_text = p->writes->batch.bytes;
	for (size_t i = 0; i < p->writes->n_pieces; i++)
		p->text += p->writes->pieces.at[i].text.n;
	for (size_t i = 0; i < p->writes->n_pieces && !p->gone; i++)
		p->gone = !out_take(p->how->out, &p->writes->pieces.at[i].text);
	p->writes->n_pieces = 0;
}

enum { TASK_WRITE, TASK_READ, TASK_PIECES };

static void show_task(void *ctx, size_t i, unsigned int worker)
{
	struct parallel *p = ctx;

	show_piece(p->shows, &p->shows->pieces.at[i], &p->workers[worker]);
}

static void task(void *ctx, size_t i, unsigned int worker)
{
	struct parallel *p = ctx;

	if (i == TASK_WRITE)
		write_batch(p);
	else if (i == TASK_READ)
		read_batch(p);
	else if (p->ahead)
		ask_piece(p->shows, &p->shows->pieces.at[i - TASK_PIECES], &p->workers[worker]);
	else
		show_task(ctx, i - TASK_PIECES, worker);
}

static void turn(struct parallel *p)
{
	struct stage *written = p->writes;

	p->writes = p->shows;
	p->shows = p->reads;
	p->reads = written;
}

/* Bytes of records for the next batch: twice those of the last, less where their text would exceed
 * text_most. */
static size_t next_bytes(const struct parallel *p, size_t most, size_t text_most)
{
	size_t bytes = MIN(p->bytes * 2, most);

	if (p->text > p->records_of_text)
		bytes = MIN(bytes, MAX((size_t)((double)p->records_of_text * (double)text_most /
						(double)p->text),
				       (size_t)BYTES_OF_FIRST));
	return MIN(bytes, most);
}

static int show_all(struct parallel *p, struct pool *pool)
{
	const size_t n = pool_size(pool),
		     best = p->has_lines ? BYTES_WITH_LINES : MIN(n * BYTES_OF_WORKER, BYTES_MAX);
	const size_t most = p->how->bytes ? p->how->bytes : best;
	int failed = 0;

	p->bytes = p->has_lines ? most : MIN(most, BYTES_OF_FIRST);
	while ((p->got > 0 || p->shows->n_pieces || p->writes->n_pieces) && !p->gone) {
		p->ahead = p->has_lines && p->shows->n_pieces && !p->wait;
		p->wait -= p->wait > 0;
		pool_for(pool, TASK_PIECES + p->shows->n_pieces, task, p);
		if (p->ahead) {
			look_up(p, pool);
			pool_for(pool, p->shows->n_pieces, show_task, p);
		}
		turn(p);
		if (p->got < 0)
			failed = -1;
		if (note_all(p, p->shows))
			failed = p->got = -1;
		if (p->got > 0)
			batch_take_definition(&p->reader);
		cut(p->shows, MAX(p->bytes / (n * PIECES_OF_WORKER), MIN(PIECE_LEAST, most)));
		p->bytes = next_bytes(p, most, n * TEXT_OF_WORKER);
	}
	return failed;
}

static void stage_release(struct stage *st)
{
	batch_release(&st->batch);
	vec_release(&st->notes);
	buf_release(&st->told);
	for (size_t i = 0; i < st->pieces.n; i++)
		buf_release(&st->pieces.at[i].text);
	for (size_t i = 0; i < st->pieces.n; i++)
		vec_release(&st->pieces.at[i].words);
	vec_release(&st->pieces);
}

int script_parallel(const struct script_parallel *how, struct pool *pool, struct err *err)
{
	struct parallel p = {.how = how,
			     .reader.src = how->replay->src,
			     .decoder.src = how->replay->src,
			     .swap = how->s->rec->m.swap,
			     .got = 1,
			     .err = err};
	const unsigned int n = pool_size(pool);
	struct buf *out = how->s->out;
	int failed;

	measurement_samples_alike(&how->s->rec->m, &p.thread_at);
	p.reads = &p.stages[0];
	p.shows = &p.stages[1];
	p.writes = &p.stages[2];
	p.has_lines = script_has_lines(how->s);
	p.workers = mem_zero(n * sizeof(*p.workers));
	for (unsigned int i = 0; i < n; i++) {
		script_copy(&p.workers[i].script, how->s);
		p.workers[i].script.frames.memory_max = MAX(MEMORY_OF_WORKERS / n, MEMORY_LEAST);
		p.workers[i].decoder.src = how->replay->src;
		p.workers[i].questions.world = how->s->world;
	}
	failed = show_all(&p, pool);
	for (unsigned int i = 0; i < n; i++) {
		script_join(how->s, &p.workers[i].script);
		losses_merge(how->losses, &p.workers[i].decoder.losses);
		batch_decoder_release(&p.workers[i].decoder);
		line_questions_release(&p.workers[i].questions);
	}
	losses_merge(how->losses, &p.decoder.losses);
	batch_decoder_release(&p.decoder);
	for (size_t i = 0; i < ARRAY_SIZE(p.stages); i++)
		stage_release(&p.stages[i]);
	vec_release(&p.questions);
	free(p.workers);
	how->s->out = out;
	return failed;
}
