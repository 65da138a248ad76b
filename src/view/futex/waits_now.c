// SPDX-License-Identifier: MIT
#include "view/futex/waits_now.h"

static void thread_name_text(const struct futex_waits *w, int32_t tid, struct buf *out)
{
	for (size_t i = 0; i < w->waits.n; i++)
		if (w->waits.at[i].tid == tid) {
			buf_safe(out, w->waits.at[i].comm);
			buf_char(out, ' ');
		}
	buf_sdec(out, tid);
}

static void waited_for_text(const struct futex_waits *w, const struct futex_wait *wait,
			    struct buf *out)
{
	switch (wait->what) {
	case FUTEX_WAITS_THREAD:
		buf_str(out, "the end of ");
		thread_name_text(w, wait->owner, out);
		return;
	case FUTEX_WAITS_MUTEX:
		buf_printf(out, "the mutex 0x%llx", (unsigned long long)wait->address);
		if (wait->owner) {
			buf_str(out, ", held by ");
			thread_name_text(w, wait->owner, out);
		} else {
			buf_str(out, ", whose holder is not known");
		}
		return;
	case FUTEX_WAITS_OTHER:
		break;
	}
	buf_printf(out, "the futex 0x%llx", (unsigned long long)wait->address);
}

static void wait_now_show(const struct futex_waits *w, const struct futex_wait *wait,
			  struct buf *out)
{
	buf_str(out, "  ");
	buf_safe(out, wait->comm);
	buf_printf(out, " %d waits for ", wait->tid);
	waited_for_text(w, wait, out);
	buf_char(out, '\n');
}

size_t waits_now_show(const struct futex_waits *w, int32_t pid, struct out *to)
{
	struct futex_cycle cycle = {0};
	struct buf *out = &to->buf;
	size_t deadlocks = 0;

	buf_printf(out, "%zu of %u threads of process %d wait for a lock or another thread.\n",
		   w->waits.n, w->threads, pid);
	for (size_t next = futex_waits_cycle(w, 0, &cycle); cycle.n;
	     next = futex_waits_cycle(w, next, &cycle)) {
		buf_printf(out, "DEADLOCK: %zu threads wait for each other in a circle:\n",
			   cycle.n);
		for (size_t i = 0; i < cycle.n; i++)
			wait_now_show(w, &w->waits.at[cycle.at[i]], out);
		deadlocks++;
		vec_clear(&cycle);
	}
	vec_release(&cycle);
	if (w->waits.n)
		buf_str(out, "\nAll that wait:\n");
	for (size_t i = 0; i < w->waits.n && out_ready(to); i++)
		wait_now_show(w, &w->waits.at[i], out);
	return deadlocks;
}
