// SPDX-License-Identifier: MIT
/* Reads samples and folds those with equal branches and call chains. */
#include "analysis/streams/streams_private.h"

#include "profile/samples/reading/chain_words.h"
#include "world/replay/replay.h"

#define BRANCH_CALL_STACK (1ull << 11)
#define LOOP_SLOTS	  127
#define LOOP_NONE	  255

struct streams_reading {
	struct raw_streams raw;
	struct chain_words chain;
	VEC(uint64_t) content; /* of the sample at hand: a struct raw_stream */
};

/* perf's slot of a branch source: hash_64() of the kernel, with 7 bits. */
static unsigned int loop_slot(uint64_t from)
{
	return (unsigned int)((from * 0x61c8864680b583ebull) >> 57) % LOOP_SLOTS;
}

/* How many branches the second round of a loop has, which begins at i and whose first round began
 * at first; 0: no loop. A round that reaches the oldest branch is compared as far as it goes. */
static size_t loop_length(const struct branch_entry *b, size_t n, size_t first, size_t i)
{
	size_t length = 0;

	while (first + length < i && i + length < n) {
		if (b[first + length].from != b[i + length].from)
			return 0;
		length++;
	}
	return length;
}

/* Drops the second round of each loop, as perf 6.1 does: a branch source is compared with the first
 * one that fell into its slot. Returns how many branches are left. */
static size_t branches_drop_loops(struct branch_entry *b, size_t n)
{
	uint8_t seen[LOOP_SLOTS];

	memset(seen, LOOP_NONE, sizeof(seen));
	for (size_t i = 0; i < n; i++) {
		const unsigned int slot = loop_slot(b[i].from);
		size_t length;

		if (seen[slot] == LOOP_NONE) {
			seen[slot] = (uint8_t)i;
			continue;
		}
		if (b[seen[slot]].from != b[i].from)
			continue;
		length = loop_length(b, n, seen[slot], i);
		memmove(b + i, b + i + length, (n - i - length) * sizeof(*b));
		n -= length;
	}
	return n;
}

/* How many words at the beginning of the call chain the branches tell already. The return address
 * lies behind the call, which is at most 8 bytes long. */
static uint64_t chain_overlap(const struct chain_words *c, const struct branch_entry *b, size_t n)
{
	uint64_t first = 0;

	for (size_t i = 0; i < n && first < c->n; i++)
		if (c->at[first] >= CONTEXT_MAX ||
		    (b[i].from < c->at[first] && b[i].from >= c->at[first] - 8))
			first++;
	return first;
}

/* Reads the sample's branches, the newest first, without loops. Returns how many words of its call
 * chain they stand for at its beginning; *n: of branches. */
static uint64_t sample_branches(const struct streams_reading *r, const struct record *rec,
				struct branch_entry *b, size_t *n)
{
	const struct sample *sample = &rec->sample;
	uint64_t first;

	*n = 0;
	if (!(sample->type & SAMPLE_BRANCH_STACK) || sample->branch_nr > STREAM_BRANCHES_MOST ||
	    rec->event->attr.branch_sample_type & BRANCH_CALL_STACK)
		return 0;
	*n = sample->branch_nr;
	memcpy(b, sample->branches, *n * sizeof(*b));
	first = chain_overlap(&r->chain, b, *n);
	*n = branches_drop_loops(b, *n);
	return first;
}

static void streams_add(struct streams_reading *r, const struct thread *thread, uint64_t period,
			const struct branch_entry *b, size_t n)
{
	struct raw_streams *raw = &r->raw;
	const uint32_t id =
		intern_put(&raw->contents, r->content.at, r->content.n * sizeof(*r->content.at));
	struct raw_sum *sum;

	if (id == raw->sums.n) {
		vec_add(&raw->sums, (struct raw_sum){.thread = thread, .cycles = raw->cycles.n});
		memset(vec_extend(&raw->cycles, n), 0, n * sizeof(*raw->cycles.at));
	}
	sum = &raw->sums.at[id];
	sum->period += period;
	sum->samples++;
	for (size_t i = 0; i < n; i++)
		raw->cycles.at[sum->cycles + i] += branch_cycles(b[i].flags);
}

static int streams_take_sample(struct replay *rp, const struct record *rec)
{
	struct streams_reading *r = rp->ctx;
	const struct sample *sample = &rec->sample;
	struct branch_entry b[STREAM_BRANCHES_MOST];
	struct raw_stream head;
	const struct thread *thread;
	uint32_t epoch;
	uint64_t first, end;
	size_t n;

	if (!rec->event)
		return REPLAY_GO;
	thread = world_thread(rp->world, sample->pid, sample->tid, rp->time);
	if (!thread)
		return REPLAY_GO;
	epoch = world_epoch(rp->world, thread, rp->time);
	chain_words_of(&r->chain, epoch, rec->event, sample);
	first = sample_branches(r, rec, b, &n);
	head = (struct raw_stream){.event = rec->event->index,
				   .n_branches = (uint32_t)n,
				   .space = (uint64_t)epoch << 8 |
					    (rec->header.misc & MISC_CPUMODE_MASK),
				   .ip = sample->ip};
	vec_clear(&r->content);
	memcpy(vec_extend(&r->content, sizeof(head) / sizeof(uint64_t)), &head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		vec_add(&r->content, b[i].to);
		vec_add(&r->content, b[i].from);
	}
	/* as perf 6.1, which takes the branches for so many of the chain's words */
	end = r->chain.n > n ? r->chain.n - n : 0;
	for (uint64_t i = first; i < end; i++)
		vec_add(&r->content, r->chain.at[i]);
	while (r->raw.periods.n <= head.event)
		vec_add(&r->raw.periods, 0);
	r->raw.periods.at[head.event] += sample->period;
	streams_add(r, thread, sample->period, b, n);
	return REPLAY_GO;
}

static void streams_reading_release(struct streams_reading *r)
{
	chain_words_release(&r->chain);
	vec_release(&r->content);
	intern_release(&r->raw.contents);
	vec_release(&r->raw.sums);
	vec_release(&r->raw.cycles);
	vec_release(&r->raw.periods);
}

struct streams *streams_read(struct recording *rec, struct world *world,
			     const struct filter *filter, struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_SAMPLE, streams_take_sample}, {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	struct streams_reading reading = {0};
	struct streams *s = NULL;
	struct replay rp;

	chain_words_init(&reading.chain, world, &rec->m, MAX_STACK_DEFAULT, false);
	replay_init(&rp, rec, world, &analysis, &reading);
	rp.filter = filter;
	rp.reading.join_chains = true;
	if (!replay_run(&rp, err)) {
		unwound_losses(&reading.chain.unwound, &rec->m.losses);
		s = mem_zero(sizeof(*s));
		s->events = &rec->m.events;
		frames_init(&s->frames, world, false);
		streams_make(s, &reading.raw);
	}
	replay_release(&rp);
	streams_reading_release(&reading);
	return s;
}

void streams_free(struct streams *s)
{
	if (!s)
		return;
	frames_release(&s->frames);
	vec_release(&s->of);
	arena_release(&s->arena);
	free(s);
}
