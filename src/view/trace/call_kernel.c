// SPDX-License-Identifier: MIT
/* Structures of the younger calls: mounts, Landlock, io_uring, scheduling attributes, page caches.
 */
#include "view/trace/call_fields.h"

#include "base/mem.h"

/* struct mount_attr of <linux/mount.h> */
static const struct field mount_fields[] = {
	{"attr_set", 0, 8, FIELD_BITS, .words = WORDS_mount_attr},
	{"attr_clr", 8, 8, FIELD_BITS, .words = WORDS_mount_attr},
	{"propagation", 16, 8, FIELD_BITS, .words = WORDS_mount},
	{"userns_fd", 24, 8, FIELD_NUMBER},
};

/* struct landlock_ruleset_attr, struct landlock_path_beneath_attr of <linux/landlock.h> */
static const struct field ruleset_fields[] = {
	{"handled_access_fs", 0, 8, FIELD_BITS, .words = WORDS_landlock_fs},
	{"handled_access_net", 8, 8, FIELD_BITS, .words = WORDS_landlock_net},
	{"scoped", 16, 8, FIELD_BITS, .words = WORDS_landlock_scope},
};
static const struct field beneath_fields[] = {
	{"allowed_access", 0, 8, FIELD_BITS, .words = WORDS_landlock_fs},
	{"parent_fd", 8, 4, FIELD_SIGNED},
};
static const struct field port_fields[] = {
	{"allowed_access", 0, 8, FIELD_BITS, .words = WORDS_landlock_net},
	{"port", 8, 4, FIELD_NUMBER}, /* of 8 bytes; a port has 16 bits */
};

/* struct io_uring_params of <linux/io_uring.h> */
static const struct field submission_fields[] = {
	{"head", 0, 4, FIELD_NUMBER},	   {"tail", 4, 4, FIELD_NUMBER},
	{"ring_mask", 8, 4, FIELD_NUMBER}, {"ring_entries", 12, 4, FIELD_NUMBER},
	{"flags", 16, 4, FIELD_NUMBER},	   {"dropped", 20, 4, FIELD_NUMBER},
	{"array", 24, 4, FIELD_NUMBER},
};
static const struct field completion_fields[] = {
	{"head", 0, 4, FIELD_NUMBER},	   {"tail", 4, 4, FIELD_NUMBER},
	{"ring_mask", 8, 4, FIELD_NUMBER}, {"ring_entries", 12, 4, FIELD_NUMBER},
	{"overflow", 16, 4, FIELD_NUMBER}, {"cqes", 20, 4, FIELD_NUMBER},
	{"flags", 24, 4, FIELD_NUMBER},
};
static const struct field ring_fields[] = {
	{"flags", 8, 4, FIELD_BITS, .words = WORDS_io_uring_setup},
	{"sq_thread_cpu", 12, 4, FIELD_NUMBER},
	{"sq_thread_idle", 16, 4, FIELD_NUMBER},
	{"sq_entries", 0, 4, FIELD_NUMBER},
	{"cq_entries", 4, 4, FIELD_NUMBER},
	{"features", 20, 4, FIELD_BITS, .words = WORDS_io_uring_feature},
	{"sq_off", 40, 40, FIELD_INSIDE, .inside = submission_fields,
	 .n_inside = ARRAY_SIZE(submission_fields)},
	{"cq_off", 80, 40, FIELD_INSIDE, .inside = completion_fields,
	 .n_inside = ARRAY_SIZE(completion_fields)},
};
#define RING_ASKED 3 /* fields that a call that failed shows: what it asked for */

/* struct io_uring_getevents_arg */
static const struct field wait_fields[] = {
	{"sigmask", 0, 8, FIELD_HEX},
	{"sigmask_sz", 8, 4, FIELD_NUMBER},
	{"ts", 16, 8, FIELD_HEX},
};

/* struct sched_attr of <linux/sched/types.h> */
static const struct field sched_fields[] = {
	{"size", 0, 4, FIELD_NUMBER},
	{"sched_policy", 4, 4, FIELD_ENUM, .words = WORDS_sched},
	{"sched_flags", 8, 8, FIELD_BITS, .words = WORDS_sched_flags},
	{"sched_nice", 16, 4, FIELD_SIGNED},
	{"sched_priority", 20, 4, FIELD_NUMBER},
	{"sched_runtime", 24, 8, FIELD_NUMBER},
	{"sched_deadline", 32, 8, FIELD_NUMBER},
	{"sched_period", 40, 8, FIELD_NUMBER},
	{"sched_util_min", 48, 4, FIELD_NUMBER},
	{"sched_util_max", 52, 4, FIELD_NUMBER},
};

/* struct cachestat_range, struct cachestat of <linux/mman.h> */
static const struct field range_fields[] = {
	{"off", 0, 8, FIELD_NUMBER},
	{"len", 8, 8, FIELD_NUMBER},
};
static const struct field cache_fields[] = {
	{"nr_cache", 0, 8, FIELD_NUMBER},
	{"nr_dirty", 8, 8, FIELD_NUMBER},
	{"nr_writeback", 16, 8, FIELD_NUMBER},
	{"nr_evicted", 24, 8, FIELD_NUMBER},
	{"nr_recently_evicted", 32, 8, FIELD_NUMBER},
};

#define SHOW(t, fields) call_fields_show_arg(t, fields, ARRAY_SIZE(fields))

static bool rule_show(const struct call_text *t)
{
	enum { PATH_BENEATH = 1, NET_PORT };

	switch (t->call->args[1]) {
	case PATH_BENEATH:
		return SHOW(t, beneath_fields);
	case NET_PORT:
		return SHOW(t, port_fields);
	default:
		return false;
	}
}

/* The value's meaning is the command's: a string or a path. Others are no text. */
static bool config_value_show(const struct call_text *t)
{
	enum { SET_STRING = 1, SET_PATH = 3, SET_PATH_EMPTY = 4 };
	const uint64_t command = t->call->args[1];
	const uint8_t *p;
	size_t n, length;

	if (command != SET_STRING && command != SET_PATH && command != SET_PATH_EMPTY)
		return false;
	p = call_bytes(t->call, t->value, &n);
	if (!p)
		return false;
	length = strnlen((const char *)p, n);
	call_quote(p, length, length == n || length + 1 >= 1024, t->out);
	return true;
}

/* Descriptors, of the operations that take some. */
static bool ring_register_show(const struct call_text *t)
{
	enum { FILES = 2, EVENTFD = 4, EVENTFD_ASYNC = 7, MOST = 64 };
	const uint64_t operation = t->call->args[1];
	const uint64_t n = MIN(call_length(t), (uint64_t)MOST);
	int32_t fd;

	if (operation != FILES && operation != EVENTFD && operation != EVENTFD_ASYNC)
		return false;
	if (!n || !call_read(t->call, t->value, &fd, sizeof(fd)))
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0;
	     i < n && call_read(t->call, t->value + i * sizeof(fd), &fd, sizeof(fd)); i++) {
		buf_str(t->out, i ? ", " : "");
		call_fd_show(t, fd);
	}
	buf_str(t->out, call_length(t) > n ? ", ...]" : "]");
	return true;
}

static bool ring_wait_show(const struct call_text *t)
{
	enum { EXT_ARG = 1 << 3 };

	if (t->call->args[3] & EXT_ARG)
		return SHOW(t, wait_fields);
	return call_signals_show(t);
}

bool call_kernel_show(const struct call_text *t)
{
	const bool written = t->call->returned && !call_failed(t->call);

	switch (t->arg->kind) {
	case KIND_mount_attr:
		return SHOW(t, mount_fields);
	case KIND_landlock_attr:
		return SHOW(t, ruleset_fields);
	case KIND_landlock_rule:
		return rule_show(t);
	case KIND_fsconfig_value:
		return config_value_show(t);
	case KIND_uring_params:
		return call_fields_show_arg(t, ring_fields,
					    written ? ARRAY_SIZE(ring_fields) : RING_ASKED);
	case KIND_uring_arg:
		return ring_register_show(t);
	case KIND_uring_wait:
		return ring_wait_show(t);
	case KIND_sched_attr:
		return SHOW(t, sched_fields);
	case KIND_sched_attr_out:
		return written && SHOW(t, sched_fields);
	case KIND_cache_range:
		return SHOW(t, range_fields);
	case KIND_cache_stat:
		return written && SHOW(t, cache_fields);
	default:
		return false;
	}
}
