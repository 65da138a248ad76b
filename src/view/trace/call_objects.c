// SPDX-License-Identifier: MIT
/* Message queues' attributes, notifications, events of asynchronous reads and writes, handles of
 * files, requests for mounts, sets of memory nodes, and times of files and processes. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

/* struct sigevent of <asm-generic/siginfo.h> */
static const struct field sigevent_fields[] = {
	{"sigev_value", 0, 8, FIELD_HEX},
	{"sigev_signo", 8, 4, FIELD_ENUM, .words = WORDS_signal},
	{"sigev_notify", 12, 4, FIELD_ENUM, .words = WORDS_sigev},
};

/* struct mq_attr of <linux/mqueue.h> */
static const struct field queue_fields[] = {
	{"mq_flags", 0, 8, FIELD_BITS, .words = WORDS_open},
	{"mq_maxmsg", 8, 8, FIELD_SIGNED},
	{"mq_msgsize", 16, 8, FIELD_SIGNED},
	{"mq_curmsgs", 24, 8, FIELD_SIGNED},
};

/* struct tms of <linux/times.h> */
static const struct field times_fields[] = {
	{"tms_utime", 0, 8, FIELD_SIGNED},
	{"tms_stime", 8, 8, FIELD_SIGNED},
	{"tms_cutime", 16, 8, FIELD_SIGNED},
	{"tms_cstime", 24, 8, FIELD_SIGNED},
};

/* struct io_event of <linux/aio_abi.h> */
static const struct field event_fields[] = {
	{"data", 0, 8, FIELD_HEX},
	{"obj", 8, 8, FIELD_HEX},
	{"res", 16, 8, FIELD_SIGNED},
	{"res2", 24, 8, FIELD_SIGNED},
};

/* struct mnt_id_req of <linux/mount.h> */
static const struct field mount_fields[] = {
	{"size", 0, 4, FIELD_NUMBER},
	{"mnt_id", 8, 8, FIELD_HEX},
	{"param", 16, 8, FIELD_HEX},
	{"mnt_ns_id", 24, 8, FIELD_HEX},
};

/* struct file_handle, as name_to_handle_at(2) describes it, without the handle's bytes */
static const struct field handle_fields[] = {
	{"handle_bytes", 0, 4, FIELD_NUMBER},
	{"handle_type", 4, 4, FIELD_SIGNED},
};

#define SHOW(t, fields) call_fields_show_arg(t, fields, ARRAY_SIZE(fields))

/* struct utimbuf: the times of the last access and change. */
static bool file_times_show(const struct call_text *t)
{
	uint64_t v[2];

	if (!call_read_longs(t->call, t->arg->kind, t->value, v, 2, true))
		return false;
	buf_printf(t->out, "{actime=%lld, modtime=%lld}", (long long)v[0], (long long)v[1]);
	return true;
}

static bool pointer_show(const struct call_text *t)
{
	uint64_t v;

	if (!call_read_longs(t->call, t->arg->kind, t->value, &v, 1, false))
		return false;
	buf_printf(t->out, "[%#llx]", (unsigned long long)v);
	return true;
}

static bool object_value_show(const struct call_text *t)
{
	uint32_t v;

	if (!call_read(t->call, t->value, &v, sizeof(v)))
		return false;
	buf_char(t->out, '[');
	call_enum_show(t, t->arg->words, v, "%d");
	buf_char(t->out, ']');
	return true;
}

static bool object_written_show(const struct call_text *t)
{
	if (!t->call->returned || call_failed(t->call))
		return false;
	switch (t->arg->kind) {
	case KIND_mq_attr_out:
		return SHOW(t, queue_fields);
	case KIND_tms:
		return SHOW(t, times_fields);
	case KIND_io_events:
		return call_fields_show_array(t, sizeof(uint64_t) * 4, event_fields,
					      ARRAY_SIZE(event_fields));
	case KIND_mounts_out:
		return call_fields_show_numbers(t, 8, FIELD_HEX);
	case KIND_nodes_out:
		return call_set_show(t, 8);
	case KIND_ptr_out:
		return pointer_show(t);
	case KIND_enum_out:
		return object_value_show(t);
	default:
		return false;
	}
}

bool call_object_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_sigevent:
		return SHOW(t, sigevent_fields);
	case KIND_mq_attr:
		return SHOW(t, queue_fields);
	case KIND_utimbuf:
		return file_times_show(t);
	case KIND_mount_request:
		return SHOW(t, mount_fields);
	case KIND_file_handle:
		return SHOW(t, handle_fields);
	case KIND_nodes:
		return call_set_show(t, 8);
	case KIND_ids:
		return call_fields_show_numbers(t, 4, FIELD_NUMBER);
	default:
		return object_written_show(t);
	}
}
