// SPDX-License-Identifier: MIT
/*
 * Counts how programs use their locks, from inside: loaded into them by `perf locks --preload`
 * (LD_PRELOAD), it stands before the C library's functions of mutexes, reader-writer locks and spin
 * locks. What it counts lies in memory that perf shares (os/preload/lock_table.h).
 *
 * A lock is tried first: only one that is taken makes the time of a wait be read. It calls nothing
 * that takes a lock itself, and allocates nothing.
 */
#include "os/preload/lock_table.h"

#include "lock_order.h"
#include "places.h"
#include "thread_name.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CACHED 64
#define SITE   ((uint64_t)(uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))
#define OURS   __attribute__((visibility("default")))

static struct {
	int (*mutex_lock)(pthread_mutex_t *);
	int (*mutex_trylock)(pthread_mutex_t *);
	int (*mutex_timedlock)(pthread_mutex_t *, const struct timespec *);
	int (*mutex_clocklock)(pthread_mutex_t *, clockid_t, const struct timespec *);
	int (*mutex_unlock)(pthread_mutex_t *);
	int (*cond_wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	int (*cond_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t,
			      const struct timespec *);
	int (*rdlock)(pthread_rwlock_t *);
	int (*tryrdlock)(pthread_rwlock_t *);
	int (*wrlock)(pthread_rwlock_t *);
	int (*trywrlock)(pthread_rwlock_t *);
	int (*rwunlock)(pthread_rwlock_t *);
	int (*spin_lock)(pthread_spinlock_t *);
	int (*spin_trylock)(pthread_spinlock_t *);
	int (*spin_unlock)(pthread_spinlock_t *);
	bool known;
} real;

static struct lock_table *table;
static uint32_t pid;

/* What a thread has used: the process's id is part of it, for children of fork. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
	uint64_t lock, site;
	uint32_t pid, lock_at, site_at;
} cache[CACHED];
static __thread __attribute__((tls_model("initial-exec"))) uint32_t own_tid;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t tid_of_thread(void)
{
	if (!own_tid)
		own_tid = (uint32_t)syscall(SYS_gettid);
	return own_tid;
}

/* -- the C library's functions -- */

/* glibc has two forms of some: the newer one is meant. */
static void *real_function(const char *name)
{
	void *function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");

	return function ? function : dlsym(RTLD_NEXT, name);
}

static void find_functions(void)
{
	const struct {
		void *to;
		const char *name;
	} list[] = {
		{&real.mutex_trylock, "pthread_mutex_trylock"},
		{&real.mutex_timedlock, "pthread_mutex_timedlock"},
		{&real.mutex_clocklock, "pthread_mutex_clocklock"},
		{&real.mutex_unlock, "pthread_mutex_unlock"},
		{&real.mutex_lock, "pthread_mutex_lock"},
		{&real.cond_wait, "pthread_cond_wait"},
		{&real.cond_timedwait, "pthread_cond_timedwait"},
		{&real.cond_clockwait, "pthread_cond_clockwait"},
		{&real.rdlock, "pthread_rwlock_rdlock"},
		{&real.tryrdlock, "pthread_rwlock_tryrdlock"},
		{&real.wrlock, "pthread_rwlock_wrlock"},
		{&real.trywrlock, "pthread_rwlock_trywrlock"},
		{&real.rwunlock, "pthread_rwlock_unlock"},
		{&real.spin_lock, "pthread_spin_lock"},
		{&real.spin_trylock, "pthread_spin_trylock"},
		{&real.spin_unlock, "pthread_spin_unlock"},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		void *function = real_function(list[i].name);

		memcpy(list[i].to, &function, sizeof(function));
	}
	real.known = true;
}

static void note_pid(void)
{
	pid = (uint32_t)getpid();
	own_tid = 0;
	lock_order_forget();
}

__attribute__((constructor(101))) static void begin(void)
{
	const char *path = getenv(LOCK_TABLE_VARIABLE);
	const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at;

	if (!real.known)
		find_functions();
	if (fd < 0)
		return;
	at = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	note_pid();
	pthread_atfork(NULL, NULL, note_pid);
	__atomic_add_fetch(&((struct lock_table *)at)->processes, 1, __ATOMIC_RELAXED);
	table = at;
}

#define REAL(name) (__builtin_expect(real.known, 1) ? real.name : (find_functions(), real.name))

/* -- slots -- */

#define NO_SLOT PLACES_NO_SLOT

static uint32_t slot_claim(char *first, size_t size, uint32_t n, uint64_t key, bool *is_new)
{
	return places_claim_slot(first, size, n, key, &table->left_out, is_new);
}

static RARE uint32_t lock_slot(uint64_t address, enum lock_table_kind kind)
{
	bool is_new = false;
	const uint32_t at = slot_claim((char *)table->locks, sizeof(*table->locks),
				       LOCK_TABLE_LOCKS, places_key(address, pid), &is_new);

	if (is_new) {
		table->locks[at].pid = pid;
		table->locks[at].kind = kind;
		places_find(&table->locks[at].place, address, table->files);
	}
	return at;
}

static RARE uint32_t site_slot(uint32_t lock, uint64_t address)
{
	bool is_new = false;
	const uint32_t at = slot_claim((char *)table->sites, sizeof(*table->sites),
				       LOCK_TABLE_SITES, places_key(address, lock + 1), &is_new);

	if (is_new) {
		table->sites[at].lock = lock;
		places_find(&table->sites[at].place, address, table->files);
	}
	return at;
}

/* The slots of a lock that is taken at a site. False: there is no room. */
static bool slots_of(uint64_t lock, uint64_t site, enum lock_table_kind kind, uint32_t *lock_at,
		     uint32_t *site_at)
{
	const uint32_t i = (uint32_t)(lock >> 3 ^ site >> 2) % CACHED;

	if (cache[i].lock != lock || cache[i].site != site || cache[i].pid != pid) {
		*lock_at = lock_slot(lock, kind);
		if (*lock_at == NO_SLOT)
			return false;
		*site_at = site_slot(*lock_at, site);
		if (*site_at == NO_SLOT)
			return false;
		cache[i].lock = lock;
		cache[i].site = site;
		cache[i].pid = pid;
		cache[i].lock_at = *lock_at;
		cache[i].site_at = *site_at;
		return true;
	}
	*lock_at = cache[i].lock_at;
	*site_at = cache[i].site_at;
	return true;
}

/* -- what happens to locks -- */

/* The holder may have ended when the wait does: its name is read when it begins. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
	uint32_t tid;
	char comm[16];
} holders[8];

static const char *name_of_holder(uint32_t tid)
{
	const uint32_t i = tid % (sizeof(holders) / sizeof(*holders));
	const int saved = errno;

	if (holders[i].tid != tid) {
		thread_name_read(tid, holders[i].comm);
		holders[i].tid = tid;
		errno = saved;
	}
	return holders[i].comm;
}

/* A wait whose end makes this thread the holder. */
struct lock_wait {
	uint64_t since; /* ns; 0: it did not wait */
	uint32_t holder, holder_site;
	char holder_comm[16];
};

static void wait_begins(struct lock_wait *w, uint64_t lock, uint64_t site,
			enum lock_table_kind kind, bool shared)
{
	uint32_t lock_at, site_at;

	if (!slots_of(lock, site, kind, &lock_at, &site_at))
		return;
	/* now, because a wait in a deadlock does not end */
	lock_order_note(table, lock_at, site_at, shared, tid_of_thread());
	w->holder = __atomic_load_n(&table->locks[lock_at].owner, __ATOMIC_RELAXED);
	w->holder_site = table->locks[lock_at].site;
	w->since = now_ns();
	if (w->holder)
		memcpy(w->holder_comm, name_of_holder(w->holder), sizeof(w->holder_comm));
}

static void wait_ends(struct lock_table_site *s, const struct lock_wait *w, uint64_t now)
{
	const uint64_t ns = now - w->since;
	const int saved = errno;

	__atomic_add_fetch(&s->waits, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&s->wait_ns, ns, __ATOMIC_RELAXED);
	if (ns <= s->max_wait_ns)
		return;
	s->max_wait_ns = ns;
	s->waiter = tid_of_thread();
	s->holder = w->holder;
	s->holder_site = w->holder ? w->holder_site + 1 : 0;
	thread_name_read(s->waiter, s->waiter_comm);
	memcpy(s->holder_comm, w->holder_comm, sizeof(s->holder_comm));
	errno = saved;
}

/* How a lock is asked for. */
enum {
	SHARED = 1, /* by a reader, of whom there may be several */
	TRIED = 2   /* without waiting for it: no order of locks follows from this */
};

static void lock_taken(uint64_t lock, uint64_t site, enum lock_table_kind kind, int how,
		       const struct lock_wait *w)
{
	const bool shared = how & SHARED;
	struct lock_table_lock *l;
	struct lock_table_site *s;
	uint32_t lock_at, site_at;
	uint64_t now;

	if (!slots_of(lock, site, kind, &lock_at, &site_at))
		return;
	l = &table->locks[lock_at];
	s = &table->sites[site_at];
	if (!shared && l->owner == tid_of_thread() && l->depth) {
		s->taken++;
		l->depth++; /* recursive */
		return;
	}
	if (!w->since && !(how & TRIED))
		lock_order_note(table, lock_at, site_at, shared, tid_of_thread());
	lock_order_push(lock_at, site_at, shared);
	if (shared) {
		__atomic_add_fetch(&s->taken, 1, __ATOMIC_RELAXED);
		if (w->since)
			wait_ends(s, w, now_ns());
		return;
	}
	s->taken++;
	now = now_ns();
	if (w->since)
		wait_ends(s, w, now);
	l->since = now;
	l->site = site_at;
	l->depth = 1;
	__atomic_store_n(&l->owner, own_tid, __ATOMIC_RELAXED);
}

/* The slot of a lock that was taken before; NO_SLOT: there is none. */
static uint32_t lock_slot_find(uint64_t lock)
{
	const uint64_t key = places_key(lock, pid);

	for (uint32_t i = 0; i < 64; i++) {
		const uint32_t at = (uint32_t)(key + i) & (LOCK_TABLE_LOCKS - 1);

		if (table->locks[at].key == key)
			return at;
		if (!table->locks[at].key)
			break;
	}
	return NO_SLOT;
}

/* Before it is given back. False: this thread is not known to hold it for itself, or still does. */
static bool lock_released(uint64_t lock, uint32_t *site)
{
	const uint32_t at = lock_slot_find(lock);
	struct lock_table_lock *l;
	struct lock_table_site *s;
	uint64_t ns;

	if (at == NO_SLOT)
		return false;
	l = &table->locks[at];
	if (l->owner == tid_of_thread() && l->depth > 1) {
		l->depth--;
		return false;
	}
	lock_order_pop(at);
	if (l->owner != own_tid || !l->depth)
		return false;
	l->depth = 0;
	s = &table->sites[l->site];
	*site = l->site;
	ns = now_ns() - l->since;
	s->holds++;
	s->hold_ns += ns;
	if (ns > s->max_hold_ns)
		s->max_hold_ns = ns;
	__atomic_store_n(&l->owner, 0, __ATOMIC_RELAXED);
	return true;
}

static bool is_taken(int status)
{
	return !status || status == EOWNERDEAD;
}

#define ADDRESS(lock) ((uint64_t)(uintptr_t)(lock))

/* Tries first, and then waits. */
#define TAKE(lock, kind, how, try, wait)                                                           \
	do {                                                                                       \
		struct lock_wait w;                                                                \
		int status = (try);                                                                \
                                                                                                   \
		w.since = 0;                                                                       \
		if (__builtin_expect(status == EBUSY, 0)) {                                        \
			if (table)                                                                 \
				wait_begins(&w, ADDRESS(lock), SITE, kind, (how)&SHARED);          \
			status = (wait);                                                           \
		}                                                                                  \
		if (table && is_taken(status))                                                     \
			lock_taken(ADDRESS(lock), SITE, kind, how, &w);                            \
		return status;                                                                     \
	} while (0)

OURS int pthread_mutex_lock(pthread_mutex_t *m)
{
	TAKE(m, LOCK_TABLE_MUTEX, 0, REAL(mutex_trylock)(m), real.mutex_lock(m));
}

OURS int pthread_mutex_trylock(pthread_mutex_t *m)
{
	TAKE(m, LOCK_TABLE_MUTEX, TRIED, REAL(mutex_trylock)(m), EBUSY);
}

OURS int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	TAKE(m, LOCK_TABLE_MUTEX, 0, REAL(mutex_trylock)(m), real.mutex_timedlock(m, until));
}

OURS int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	TAKE(m, LOCK_TABLE_MUTEX, 0, REAL(mutex_trylock)(m), real.mutex_clocklock(m, clock, until));
}

OURS int pthread_mutex_unlock(pthread_mutex_t *m)
{
	uint32_t site;

	if (table)
		(void)lock_released(ADDRESS(m), &site);
	return REAL(mutex_unlock)(m);
}

/* Waiting for a condition gives the mutex back, and takes it again. */
static void condition_ends(pthread_mutex_t *m, uint32_t site)
{
	struct lock_table_lock *l;
	bool is_new;
	const uint32_t at = slot_claim((char *)table->locks, sizeof(*table->locks),
				       LOCK_TABLE_LOCKS, places_key(ADDRESS(m), pid), &is_new);

	if (at == NO_SLOT)
		return;
	l = &table->locks[at];
	l->since = now_ns();
	l->site = site;
	l->depth = 1;
	__atomic_store_n(&l->owner, tid_of_thread(), __ATOMIC_RELAXED);
	lock_order_note(table, at, site, false, own_tid);
	lock_order_push(at, site, false);
}

#define WAIT(m, wait)                                                                              \
	do {                                                                                       \
		uint32_t site = 0;                                                                 \
		const bool held = table && lock_released(ADDRESS(m), &site);                       \
		const int status = (wait);                                                         \
                                                                                                   \
		if (held)                                                                          \
			condition_ends(m, site);                                                   \
		return status;                                                                     \
	} while (0)

OURS int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	WAIT(m, REAL(cond_wait)(c, m));
}

OURS int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
	WAIT(m, REAL(cond_timedwait)(c, m, until));
}

OURS int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
				const struct timespec *until)
{
	WAIT(m, REAL(cond_clockwait)(c, m, clock, until));
}

OURS int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	TAKE(l, LOCK_TABLE_RWLOCK, SHARED, REAL(tryrdlock)(l), real.rdlock(l));
}

OURS int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	TAKE(l, LOCK_TABLE_RWLOCK, SHARED | TRIED, REAL(tryrdlock)(l), EBUSY);
}

OURS int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	TAKE(l, LOCK_TABLE_RWLOCK, 0, REAL(trywrlock)(l), real.wrlock(l));
}

OURS int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	TAKE(l, LOCK_TABLE_RWLOCK, TRIED, REAL(trywrlock)(l), EBUSY);
}

OURS int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	uint32_t site;

	if (table)
		(void)lock_released(ADDRESS(l), &site);
	return REAL(rwunlock)(l);
}

OURS int pthread_spin_lock(pthread_spinlock_t *l)
{
	TAKE(l, LOCK_TABLE_SPIN, 0, REAL(spin_trylock)(l), real.spin_lock(l));
}

OURS int pthread_spin_trylock(pthread_spinlock_t *l)
{
	TAKE(l, LOCK_TABLE_SPIN, TRIED, REAL(spin_trylock)(l), EBUSY);
}

OURS int pthread_spin_unlock(pthread_spinlock_t *l)
{
	uint32_t site;

	if (table)
		(void)lock_released(ADDRESS(l), &site);
	return REAL(spin_unlock)(l);
}
