// SPDX-License-Identifier: MIT
/* Structures, as strace writes them. */
#include "view/trace/call_text.h"

#include "base/mem.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>

typedef unsigned long long ull;

static bool bytes_of(const struct call_text *t, void *to, size_t n)
{
	return call_read(t->call, t->value, to, n);
}

static void pair_show(const int64_t *v, const char *first, const char *second, struct buf *out)
{
	buf_printf(out, "{%s=%lld, %s=%lld}", first, (long long)v[0], second, (long long)v[1]);
}

static bool times_show(const struct call_text *t, bool us, unsigned int n, const char *const *names)
{
	uint64_t longs[4] = {0};
	int64_t v[4];

	if (!call_read_longs(t->call, t->arg->kind, t->value, longs, n * 2, true))
		return false;
	memcpy(v, longs, sizeof(v));
	if (n == 2)
		buf_char(t->out, names ? '{' : '[');
	for (unsigned int i = 0; i < n; i++) {
		if (i)
			buf_str(t->out, ", ");
		if (names)
			buf_printf(t->out, "%s=", names[i]);
		if (!us && !names && v[2 * i + 1] == 0x3fffffff)
			buf_str(t->out, "UTIME_NOW");
		else if (!us && !names && v[2 * i + 1] == 0x3ffffffe)
			buf_str(t->out, "UTIME_OMIT");
		else
			pair_show(v + 2 * i, "tv_sec", us ? "tv_usec" : "tv_nsec", t->out);
	}
	if (n == 2)
		buf_char(t->out, names ? '}' : ']');
	return true;
}

static void limit_show(uint64_t v, struct buf *out)
{
	if (v == UINT64_MAX)
		buf_str(out, "RLIM64_INFINITY");
	else if (v > 1024 && v % 1024 == 0)
		buf_printf(out, "%llu*1024", (ull)(v / 1024));
	else
		buf_dec(out, v);
}

static bool limits_show(const struct call_text *t)
{
	uint64_t v[2];

	if (!call_read_longs(t->call, t->arg->kind, t->value, v, 2, false))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (call_long_size(t->call, t->arg->kind) == 4 && v[i] == UINT32_MAX)
			v[i] = UINT64_MAX;
	buf_str(t->out, "{rlim_cur=");
	limit_show(v[0], t->out);
	buf_str(t->out, ", rlim_max=");
	limit_show(v[1], t->out);
	buf_char(t->out, '}');
	return true;
}

/* "S_IFREG|0644" */
static void file_mode_show(uint32_t mode, struct buf *out)
{
	const char *type = words_name(call_words(WORDS_mode_type), mode & S_IFMT);

	if (type)
		buf_printf(out, "S_IF%s|", type);
	else if (mode & S_IFMT)
		buf_printf(out, "%#o|", mode & S_IFMT);
	buf_printf(out, "%s%s%s%#o", mode & S_ISUID ? "S_ISUID|" : "",
		   mode & S_ISGID ? "S_ISGID|" : "", mode & S_ISVTX ? "S_ISVTX|" : "", mode & 0777);
}

static bool stat_show(const struct call_text *t)
{
	struct stat s;

	/* On 64-bit machines with the generic layout, and on x86-64, the kernel's structure is the
	 * C library's. A recording of another machine has no bytes of it. */
	if (!bytes_of(t, &s, sizeof(s)))
		return false;
	buf_str(t->out, "{st_mode=");
	file_mode_show(s.st_mode, t->out);
	if (S_ISCHR(s.st_mode) || S_ISBLK(s.st_mode))
		buf_printf(t->out, ", st_rdev=makedev(%#x, %#x)", major(s.st_rdev),
			   minor(s.st_rdev));
	else
		buf_printf(t->out, ", st_size=%lld", (long long)s.st_size);
	buf_str(t->out, ", ...}");
	return true;
}

static bool statx_show(const struct call_text *t)
{
	struct statx s;

	if (!bytes_of(t, &s, sizeof(s)))
		return false;
	buf_str(t->out, "{stx_mask=");
	call_bits_show(t, WORDS_statx_mask, s.stx_mask);
	buf_str(t->out, ", stx_attributes=");
	call_bits_show(t, WORDS_statx_attr, s.stx_attributes);
	buf_str(t->out, ", stx_mode=");
	file_mode_show(s.stx_mode, t->out);
	buf_printf(t->out, ", stx_size=%llu, ...}", (ull)s.stx_size);
	return true;
}

static void signal_set_show(uint64_t set, const struct call_text *t)
{
	bool most = __builtin_popcountll(set) > 32;
	size_t shown = 0;

	if (most) {
		buf_char(t->out, '~');
		set = ~set;
	}
	buf_char(t->out, '[');
	for (unsigned int i = 0; i < 64; i++) {
		const char *name = words_name(call_words(WORDS_signal), i + 1);

		if (!(set >> i & 1))
			continue;
		if (shown++)
			buf_char(t->out, ' ');
		if (name)
			buf_str(t->out, name);
		else if (i == 31)
			buf_str(t->out, "RTMIN");
		else
			buf_printf(t->out, i > 31 ? "RT_%u" : "%u", i > 31 ? i - 31 : i + 1);
	}
	buf_char(t->out, ']');
}

bool call_signals_show(const struct call_text *t)
{
	uint64_t set;

	if (!bytes_of(t, &set, sizeof(set)))
		return false;
	signal_set_show(set, t);
	return true;
}

static bool sigaction_show(const struct call_text *t)
{
	uint64_t v[4]; /* handler, flags, restorer, mask */
	static const char *const names[] = {"SIG_DFL", "SIG_IGN"};

	if (!bytes_of(t, v, sizeof(v)))
		return false;
	buf_str(t->out, "{sa_handler=");
	if (v[0] < 2)
		buf_str(t->out, names[v[0]]);
	else
		buf_printf(t->out, "%#llx", (ull)v[0]);
	buf_str(t->out, ", sa_mask=");
	signal_set_show(v[3], t);
	buf_str(t->out, ", sa_flags=");
	call_bits_show(t, WORDS_sa, v[1]);
	if (v[1] & 0x4000000)
		buf_printf(t->out, ", sa_restorer=%#llx", (ull)v[2]);
	buf_char(t->out, '}');
	return true;
}

static bool pollfds_show(const struct call_text *t)
{
	struct {
		int fd;
		uint16_t events, revents;
	} p;
	uint64_t n = MIN(call_length(t), (uint64_t)64);

	if (!n || !bytes_of(t, &p, sizeof(p)))
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < n && call_read(t->call, t->value + i * sizeof(p), &p, sizeof(p));
	     i++) {
		buf_printf(t->out, "%s{fd=%d, events=", i ? ", " : "", p.fd);
		call_bits_show(t, WORDS_poll_event, p.events);
		if (t->call->returned && p.revents) {
			buf_str(t->out, ", revents=");
			call_bits_show(t, WORDS_poll_event, p.revents);
		}
		buf_char(t->out, '}');
	}
	buf_char(t->out, ']');
	return true;
}

#define EPOLL_SIZE 12 /* packed on x86-64; 16 bytes elsewhere */
static void epoll_event_show(const struct call_text *t, const uint8_t *p)
{
	uint32_t events;
	uint64_t data;

	memcpy(&events, p, sizeof(events));
	memcpy(&data, p + 4, sizeof(data));
	buf_str(t->out, "{events=");
	call_bits_show(t, WORDS_epoll_event, events);
	buf_printf(t->out, ", data=%#llx}", (ull)data);
}

static bool epoll_show(const struct call_text *t)
{
	uint64_t n = t->arg->kind == KIND_epoll_event ? 1 : call_length(t);
	uint8_t p[EPOLL_SIZE];

	if (t->call->abi == CALL_GENERIC || !n || !bytes_of(t, p, sizeof(p)))
		return false;
	if (t->arg->kind == KIND_epoll_event) {
		epoll_event_show(t, p);
		return true;
	}
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < n && call_read(t->call, t->value + i * EPOLL_SIZE, p, sizeof(p));
	     i++) {
		if (i)
			buf_str(t->out, ", ");
		epoll_event_show(t, p);
	}
	buf_char(t->out, ']');
	return true;
}

/* Shows as many bits as select's first argument says. */
static bool fd_set_show(const struct call_text *t)
{
	uint64_t words[16];
	size_t n = (size_t)MIN(call_length(t), (uint64_t)1024), shown = 0;

	if (!bytes_of(t, words, sizeof(words)))
		return false;
	buf_char(t->out, '[');
	for (size_t i = 0; i < n; i++)
		if (words[i / 64] >> i % 64 & 1)
			buf_printf(t->out, "%s%zu", shown++ ? " " : "", i);
	buf_char(t->out, ']');
	return true;
}

bool call_set_show(const struct call_text *t, uint64_t bytes)
{
	uint64_t shown = 0;
	const uint8_t *p;
	size_t n;

	p = call_bytes(t->call, t->value, &n);
	if (!p)
		return false;
	buf_char(t->out, '[');
	for (size_t i = 0; i < MIN(bytes, n) * 8; i++)
		if (p[i / 8] >> i % 8 & 1)
			buf_printf(t->out, "%s%zu", shown++ ? " " : "", i);
	buf_char(t->out, ']');
	return true;
}

static bool numbers_show(const struct call_text *t, size_t n)
{
	int32_t v[2];

	if (!bytes_of(t, v, n * 4))
		return false;
	buf_printf(t->out, n == 2 ? "[%d, %d]" : "[%d]", v[0], n == 2 ? v[1] : 0);
	return true;
}

static bool wait_status_show(const struct call_text *t)
{
	int status;

	if (t->call->result <= 0 || !bytes_of(t, &status, sizeof(status)))
		return false;
	if (WIFEXITED(status)) {
		buf_printf(t->out, "[{WIFEXITED(s) && WEXITSTATUS(s) == %d}]", WEXITSTATUS(status));
	} else if (WIFSIGNALED(status) || WIFSTOPPED(status)) {
		bool stopped = WIFSTOPPED(status);

		buf_str(t->out, stopped ? "[{WIFSTOPPED(s) && WSTOPSIG(s) == SIG"
					: "[{WIFSIGNALED(s) && WTERMSIG(s) == SIG");
		call_enum_show(t, WORDS_signal,
			       (uint64_t)(stopped ? WSTOPSIG(status) : WTERMSIG(status)), "%d");
		buf_str(t->out, !stopped && WCOREDUMP(status) ? " && WCOREDUMP(s)}]" : "}]");
	} else {
		buf_printf(t->out, "[%#x]", status);
	}
	return true;
}

static bool clone_args_show(const struct call_text *t)
{
	/* flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls */
	uint64_t v[8];

	if (!bytes_of(t, v, sizeof(v)))
		return false;
	buf_str(t->out, "{flags=");
	call_bits_show(t, WORDS_clone, v[0]);
	buf_str(t->out, ", exit_signal=");
	if (v[4]) {
		buf_str(t->out, "SIG");
		call_enum_show(t, WORDS_signal, v[4], "%d");
	} else {
		buf_char(t->out, '0');
	}
	buf_printf(t->out, ", stack=%#llx, stack_size=%#llx, tls=%#llx}", (ull)v[5], (ull)v[6],
		   (ull)v[7]);
	return true;
}

static bool open_how_show(const struct call_text *t)
{
	uint64_t v[3];

	if (!bytes_of(t, v, sizeof(v)))
		return false;
	buf_str(t->out, "{flags=");
	call_bits_show(t, WORDS_open, v[0]);
	if (v[1])
		buf_printf(t->out, ", mode=%#llo", (ull)v[1]);
	buf_str(t->out, ", resolve=");
	call_bits_show(t, WORDS_resolve, v[2]);
	buf_char(t->out, '}');
	return true;
}

static bool names_show(const struct call_text *t)
{
	struct utsname
		u; /* sysname, nodename, release, ... of 65 bytes each, which the copy has all of */

	if (!bytes_of(t, &u, sizeof(u)))
		return false;
	buf_str(t->out, "{sysname=");
	call_quote((const uint8_t *)u.sysname, strnlen(u.sysname, sizeof(u.sysname)), false,
		   t->out);
	buf_str(t->out, ", nodename=");
	call_quote((const uint8_t *)u.nodename, strnlen(u.nodename, sizeof(u.nodename)), false,
		   t->out);
	buf_str(t->out, ", ...}");
	return true;
}

static bool offset_show(const struct call_text *t)
{
	int64_t v;

	if (!bytes_of(t, &v, sizeof(v)))
		return false;
	buf_printf(t->out, "[%lld]", (long long)v);
	return true;
}

static bool written_show(const struct call_text *t)
{
	static const char *const interval[] = {"it_interval", "it_value"};

	if (!t->call->returned || call_failed(t->call))
		return false;
	switch (t->arg->kind) {
	case KIND_timespec_out:
		return times_show(t, false, 1, NULL);
	case KIND_timeval_out:
		return times_show(t, true, 1, NULL);
	case KIND_itimerspec_out:
		return times_show(t, false, 2, interval);
	case KIND_itimerval_out:
		return times_show(t, true, 2, interval);
	case KIND_rlimit_out:
		return limits_show(t);
	case KIND_stat:
		return stat_show(t);
	case KIND_statx:
		return statx_show(t);
	case KIND_sigset_out:
		return call_signals_show(t);
	case KIND_sigaction_out:
		return sigaction_show(t);
	case KIND_epoll_events:
		return epoll_show(t);
	case KIND_fds_out:
		return numbers_show(t, 2);
	case KIND_int_out:
	case KIND_id_out:
		return numbers_show(t, 1);
	case KIND_wait_status:
		return wait_status_show(t);
	case KIND_utsname:
		return names_show(t);
	case KIND_cpuset_out:
		return call_set_show(t, call_length(t));
	default:
		return false;
	}
}

/* True for operations that wait: only these have a timeout behind this pointer. */
static bool futex_waits(const struct call *c)
{
	static const uint16_t waits =
		1 << 0 | 1 << 6 | 1 << 9 | 1 << 11 | 1 << 13; /* WAIT, LOCK_PI, WAIT_BITSET, ... */

	return waits >> (c->args[1] & 15) & 1;
}

bool call_struct_show(const struct call_text *t)
{
	static const char *const interval[] = {"it_interval", "it_value"};

	switch (t->arg->kind) {
	case KIND_timespec:
		return times_show(t, false, 1, NULL);
	case KIND_futex_utime:
		return futex_waits(t->call) && times_show(t, false, 1, NULL);
	case KIND_timespec2:
		return times_show(t, false, 2, NULL);
	case KIND_timeval:
		return times_show(t, true, 1, NULL);
	case KIND_timeval2:
		return times_show(t, true, 2, NULL);
	case KIND_itimerspec:
		return times_show(t, false, 2, interval);
	case KIND_itimerval:
		return times_show(t, true, 2, interval);
	case KIND_rlimit:
		return limits_show(t);
	case KIND_sigset:
		return call_signals_show(t);
	case KIND_sigaction:
		return sigaction_show(t);
	case KIND_pollfds:
		return pollfds_show(t);
	case KIND_epoll_event:
		return epoll_show(t);
	case KIND_fd_set:
		return fd_set_show(t);
	case KIND_loff:
		return offset_show(t);
	case KIND_int_in:
		return numbers_show(t, 1);
	case KIND_timespec_rest:
		return call_failed(t->call) && times_show(t, false, 1, NULL);
	case KIND_clone_args:
		return clone_args_show(t);
	case KIND_open_how:
		return open_how_show(t);
	case KIND_perf_attr:
		return call_perf_attr_show(t);
	case KIND_cpuset:
		return call_set_show(t, call_length(t));
	default:
		return written_show(t);
	}
}
