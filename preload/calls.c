// SPDX-License-Identifier: MIT
/*
 * Times calls of functions from inside of programs that were built with -finstrument-functions:
 * loaded into them by `perf calls` (LD_PRELOAD), it has the two functions that such programs call
 * at each entry and exit. What it counts lies in memory that perf shares (os/preload/call_table.h).
 *
 * Each thread has a stack of its open calls. A call is gone without an exit (longjmp, an exception)
 * when a call around it ends, or another one begins at its place of the stack. It calls nothing
 * that takes a lock itself.
 */
#include "base/log_linear.h"
#include "os/preload/call_table.h"

#include "places.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define OURS	     __attribute__((visibility("default")))
#define RETURNS_TO   __builtin_extract_return_addr(__builtin_return_address(0))
#define SELF_HOOK    ((uint64_t)(uintptr_t)RETURNS_TO)
#define SELF_SP	     ((uint64_t)(uintptr_t)__builtin_frame_address(0))
#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))
#define CALLS_MAX    65536
#define CACHED	     512		  /* functions, a power of two */
#define STACK_MOST   (UINT64_C(64) << 20) /* bytes: what is farther apart is of two stacks */

/* A function that a thread has called. */
struct seen_function {
	uint64_t address;
	uint32_t at;	    /* in table->functions */
	uint32_t innermost; /* 1 + the place of its innermost open call; 0: none */
};

struct open_call {
	uint64_t address, site, hook; /* of the function; its caller; where it says its entry */
	uint64_t sp, begin, inner_ns;
	uint32_t at;	/* in table->functions */
	uint32_t outer; /* 1 + the place of the next open call of the same function; 0: none */
};

struct calls_of_thread {
	struct seen_function seen[CACHED];
	uint32_t depth;
	struct open_call calls[CALLS_MAX];
};

static struct call_table *table;
static uint32_t pid;
static pthread_key_t thread_end;
THREAD_LOCAL struct calls_of_thread *own;
THREAD_LOCAL uint32_t own_pid;
THREAD_LOCAL bool busy; /* inside of this library: a signal's calls are not counted */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count_add(uint64_t *count, uint64_t n)
{
	__atomic_add_fetch(count, n, __ATOMIC_RELAXED);
}

/* -- threads -- */

static RARE struct calls_of_thread *thread_begin(void)
{
	const int saved = errno;
	void *at;

	if (own) { /* a child of fork: its parent's calls are counted there */
		memset(own->seen, 0, sizeof(own->seen));
		own->depth = 0;
	} else {
		at = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		own = at == MAP_FAILED ? NULL : at;
		(void)pthread_setspecific(thread_end, own);
	}
	own_pid = pid;
	if (own)
		count_add(&table->threads, 1);
	errno = saved;
	return own;
}

static void thread_cut(void *v)
{
	struct calls_of_thread *t = v;

	busy = true;
	while (own_pid == pid && t->depth)
		count_add(&table->functions[t->calls[--t->depth].at].cut, 1);
	own = NULL;
	munmap(t, sizeof(*t));
	busy = false;
}

static inline struct calls_of_thread *thread_calls(void)
{
	return __builtin_expect(own && own_pid == pid, 1) ? own : thread_begin();
}

/* -- functions -- */

static RARE uint32_t function_slot(uint64_t address)
{
	bool is_new = false;
	const uint32_t at = places_claim_slot((char *)table->functions, sizeof(*table->functions),
					      CALL_TABLE_FUNCTIONS, places_key(address, pid),
					      &table->left_out, &is_new);

	if (is_new)
		places_find(&table->functions[at].place, address, table->files);
	return at;
}

/* The thread's entry of a function. NULL: there is no room. */
static inline struct seen_function *function_seen(struct calls_of_thread *t, uint64_t address)
{
	const uint64_t first = address >> 4;

	for (uint32_t i = 0; i < CACHED; i++) {
		struct seen_function *s = &t->seen[(first + i) & (CACHED - 1)];

		if (__builtin_expect(s->address == address, 1))
			return s;
		if (!s->address) {
			const uint32_t at = function_slot(address);

			if (at == PLACES_NO_SLOT)
				return NULL;
			*s = (struct seen_function){address, at, 0};
			return s;
		}
	}
	count_add(&table->left_out, 1);
	return NULL;
}

/* -- calls -- */

/* Takes the innermost call from the stack. */
static inline struct open_call *call_pop(struct calls_of_thread *t)
{
	struct open_call *c = &t->calls[--t->depth];
	struct seen_function *s = function_seen(t, c->address);

	if (s)
		s->innermost = c->outer;
	return c;
}

static RARE void call_leave(struct calls_of_thread *t)
{
	count_add(&table->functions[call_pop(t)->at].left, 1);
}

/* True when a call is gone as another one begins. A function that is inlined into it begins at the
 * same stack pointer, too, with the same caller, but at another instruction. */
static inline bool call_is_gone(const struct open_call *c, uint64_t sp, uint64_t site,
				uint64_t hook)
{
	if (c->sp == sp)
		return c->site != site || c->hook == hook;
	return c->sp < sp && sp - c->sp < STACK_MOST;
}

static inline void call_enter(uint64_t address, uint64_t site, uint64_t hook, uint64_t sp)
{
	struct calls_of_thread *t = thread_calls();
	struct seen_function *s;

	if (!t)
		return;
	while (t->depth && call_is_gone(&t->calls[t->depth - 1], sp, site, hook))
		call_leave(t);
	s = function_seen(t, address);
	if (!s)
		return;
	if (t->depth == CALLS_MAX) {
		count_add(&table->left_out, 1);
		return;
	}
	count_add(&table->functions[s->at].entered, 1);
	t->calls[t->depth++] =
		(struct open_call){address, site, hook, sp, now_ns(), 0, s->at, s->innermost};
	s->innermost = t->depth;
}

static inline void function_count(struct call_table_function *f, uint64_t ns, uint64_t inner_ns,
				  bool outermost)
{
	const size_t bucket = log_linear_bucket(ns);
	uint64_t max = __atomic_load_n(&f->max_ns, __ATOMIC_RELAXED);

	count_add(&f->returned, 1);
	count_add(&f->buckets[bucket < CALL_TABLE_BUCKETS ? bucket : CALL_TABLE_BUCKETS - 1], 1);
	count_add(&f->self_ns, ns > inner_ns ? ns - inner_ns : 0);
	if (outermost)
		count_add(&f->total_ns, ns);
	while (ns > max && !__atomic_compare_exchange_n(&f->max_ns, &max, ns, true,
							__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static inline void call_exit(uint64_t address, uint64_t sp, uint64_t now)
{
	struct calls_of_thread *t = thread_calls();
	struct seen_function *s = t ? function_seen(t, address) : NULL;
	struct open_call *c;
	uint64_t ns;
	uint32_t at;

	if (!s || !s->innermost)
		return;
	at = s->innermost;
	/* of a recursion: an outer call's frame, when longjmp has left inner ones */
	for (uint32_t outer; (outer = t->calls[at - 1].outer) &&
			     t->calls[outer - 1].sp > t->calls[at - 1].sp &&
			     t->calls[outer - 1].sp <= sp;)
		at = outer;
	while (t->depth > at)
		call_leave(t);
	c = call_pop(t);
	ns = now - c->begin;
	if (t->depth)
		t->calls[t->depth - 1].inner_ns += ns;
	function_count(&table->functions[c->at], ns, c->inner_ns, !c->outer);
}

/* gcc and clang name their parameters so: the function, and the place that it was called from. */
OURS void __cyg_profile_func_enter(void *function, void *site);
OURS void __cyg_profile_func_exit(void *function, void *site);

OURS void __cyg_profile_func_enter(void *function, void *site)
{
	if (!table || busy)
		return;
	busy = true;
	call_enter((uint64_t)(uintptr_t)function, (uint64_t)(uintptr_t)site, SELF_HOOK, SELF_SP);
	busy = false;
}

OURS void __cyg_profile_func_exit(void *function, void *site)
{
	uint64_t now;

	(void)site;
	if (!table || busy)
		return;
	busy = true;
	now = now_ns();
	call_exit((uint64_t)(uintptr_t)function, SELF_SP, now);
	busy = false;
}

/* -- the library -- */

static void note_pid(void)
{
	pid = (uint32_t)getpid();
}

/* Measures an entry with its exit: the least of ten series. Its own counts are erased. */
static void cost_measure(void)
{
	void *function = (void *)(uintptr_t)cost_measure;
	struct call_table_function *f;
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 10; i++) {
		const uint64_t begin = now_ns();

		for (int j = 0; j < 100; j++) {
			__cyg_profile_func_enter(function, NULL);
			__cyg_profile_func_exit(function, NULL);
		}
		least = now_ns() - begin < least ? now_ns() - begin : least;
	}
	if (!own)
		return;
	f = &table->functions[function_seen(own, (uint64_t)(uintptr_t)function)->at];
	memset(&f->entered, 0, sizeof(*f) - offsetof(struct call_table_function, entered));
	table->threads = 0;
	memset(own, 0, offsetof(struct calls_of_thread, calls));
	own_pid = 0;
	table->cost_ns = least / 100;
}

__attribute__((constructor(101))) static void begin(void)
{
	const char *path = getenv(CALL_TABLE_VARIABLE);
	const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at;

	if (fd < 0)
		return;
	at = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED || pthread_key_create(&thread_end, thread_cut))
		return;
	note_pid();
	pthread_atfork(NULL, NULL, note_pid);
	table = at;
	if (!__atomic_fetch_add(&table->processes, 1, __ATOMIC_RELAXED))
		cost_measure();
}
