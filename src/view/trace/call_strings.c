// SPDX-License-Identifier: MIT
/* Strings, buffers, vectors and messages, as strace writes them. */
#include "view/trace/call_text.h"

#include "base/mem.h"

#include <string.h>

static void byte_show(uint8_t byte, bool octal_follows, struct buf *out)
{
	static const char named[] = "\t\n\v\f\r\"\\", letters[] = "tnvfr\"\\";
	const char *found = byte ? strchr(named, byte) : NULL;

	if (found) {
		buf_char(out, '\\');
		buf_char(out, letters[found - named]);
	} else if (byte >= ' ' && byte < 127) {
		buf_char(out, (char)byte);
	} else {
		buf_printf(out, octal_follows ? "\\%03o" : "\\%o", byte);
	}
}

void call_quote(const uint8_t *p, size_t n, bool cut, struct buf *out)
{
	buf_char(out, '"');
	for (size_t i = 0; i < n; i++)
		byte_show(p[i], i + 1 < n && p[i + 1] >= '0' && p[i + 1] <= '7', out);
	buf_str(out, cut ? "\"..." : "\"");
}

/* Shows a string in memory; false: it was not copied. */
static bool string_show(const struct call_text *t, uint64_t address, size_t most)
{
	size_t n, length;
	const uint8_t *p = call_bytes(t->call, address, &n);

	if (!p)
		return false;
	length = strnlen((const char *)p, n);
	/* A string that fills the whole copy may be longer. */
	call_quote(p, MIN(length, most), length > most || length + 1 >= 1024, t->out);
	return true;
}

/* Shows a buffer of length bytes; false: it was not copied. */
static bool buffer_show(const struct call_text *t, uint64_t address, uint64_t length)
{
	size_t n, shown;
	const uint8_t *p;

	if (!length && t->call->copies) {
		buf_str(t->out, "\"\"");
		return true;
	}
	p = call_bytes(t->call, address, &n);
	if (!p)
		return false;
	shown = MIN(MIN(length, n), t->style->strings);
	call_quote(p, shown, shown < length, t->out);
	return true;
}

static bool longs_read(const struct call_text *t, uint64_t address, uint64_t *to, size_t n)
{
	return call_read_longs(t->call, t->arg->kind, address, to, n, false);
}

#define VECTOR_MOST 8
static bool vector_show(const struct call_text *t, uint64_t address, uint64_t count, uint64_t total)
{
	const unsigned int width = 2 * call_long_size(t->call, t->arg->kind);
	uint64_t element[2];

	if (count && !longs_read(t, address, element, 2))
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		uint64_t n;

		if (i)
			buf_str(t->out, ", ");
		if (i == VECTOR_MOST || !longs_read(t, address + i * width, element, 2)) {
			buf_str(t->out, "...");
			break;
		}
		n = MIN(element[1], total);
		total -= n;
		buf_str(t->out, "{iov_base=");
		if (!buffer_show(t, element[0], n))
			buf_printf(t->out, "%#llx", (unsigned long long)element[0]);
		buf_printf(t->out, ", iov_len=%llu}", (unsigned long long)element[1]);
	}
	buf_char(t->out, ']');
	return true;
}

static bool message_show(const struct call_text *t, uint64_t address, uint64_t total)
{
	uint64_t m[7]; /* name, its length, vector, its count, control, its length, flags */
	const uint8_t *name;
	size_t n;

	if (!longs_read(t, address, m, 7))
		return false;
	buf_str(t->out, "{msg_name=");
	name = m[0] ? call_bytes(t->call, m[0], &n) : NULL;
	if (name)
		call_address_show(t, name, MIN(n, (uint32_t)m[1]));
	else
		buf_printf(t->out, m[0] ? "%#llx" : "NULL", (unsigned long long)m[0]);
	buf_printf(t->out, ", msg_namelen=%u, msg_iov=", (uint32_t)m[1]);
	if (!vector_show(t, m[2], m[3], total))
		buf_printf(t->out, "%#llx", (unsigned long long)m[2]);
	buf_printf(t->out, ", msg_iovlen=%llu", (unsigned long long)m[3]);
	if (m[4] && m[5]) {
		buf_str(t->out, ", msg_control=");
		if (!call_control_show(t, m[4], m[5]))
			buf_printf(t->out, "%#llx", (unsigned long long)m[4]);
	}
	buf_printf(t->out, ", msg_controllen=%llu, msg_flags=", (unsigned long long)m[5]);
	call_bits_show(t, WORDS_msg, (uint32_t)m[6]);
	buf_char(t->out, '}');
	return true;
}

#define MESSAGES_MOST 4 /* those are copied */

/* The vector of sendmmsg or recvmmsg, count messages. */
static bool messages_show(const struct call_text *t, uint64_t count)
{
	const bool done = t->call->returned && !call_failed(t->call);
	/* struct mmsghdr: seven longs of a message, and how many bytes were sent or received */
	const unsigned int width = call_long_size(t->call, t->arg->kind), bytes_at = 7 * width;
	uint32_t bytes = 0;

	if (!count || !call_read(t->call, t->value + bytes_at, &bytes, sizeof(bytes)))
		return false;
	buf_char(t->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t at = t->value + i * 8 * width;

		if (i == MESSAGES_MOST ||
		    !call_read(t->call, at + bytes_at, &bytes, sizeof(bytes))) {
			buf_str(t->out, i ? ", ..." : "...");
			break;
		}
		buf_str(t->out, i ? ", {msg_hdr=" : "{msg_hdr=");
		message_show(t, at, t->arg->kind == KIND_mmsg_out ? bytes : UINT64_MAX);
		if (done && i < (uint64_t)t->call->result)
			buf_printf(t->out, ", msg_len=%u", bytes);
		buf_char(t->out, '}');
	}
	buf_char(t->out, ']');
	return true;
}

static bool words_show(const struct call_text *t)
{
	uint64_t pointer, at = t->value;

	if (!longs_read(t, at, &pointer, 1))
		return false;
	buf_char(t->out, '[');
	for (; longs_read(t, at, &pointer, 1); at += call_long_size(t->call, t->arg->kind)) {
		if (!pointer) {
			buf_char(t->out, ']');
			return true;
		}
		if (at != t->value)
			buf_str(t->out, ", ");
		if (!string_show(t, pointer, t->style->strings))
			buf_printf(t->out, "%#llx", (unsigned long long)pointer);
	}
	buf_str(t->out, ", ...]");
	return true;
}

/* The name of a thread: that to be set, or that which the kernel wrote. */
static bool task_name_show(const struct call_text *t)
{
	enum { GET_NAME = 16, NAME_SIZE = 16 };

	if (t->call->args[0] == GET_NAME && (!t->call->returned || call_failed(t->call)))
		return false;
	return string_show(t, t->value, NAME_SIZE - 1);
}

bool call_strings_show(const struct call_text *t)
{
	/* The kernel wrote as many bytes as the call returned. */
	uint64_t total = t->call->returned && t->call->result > 0 ? (uint64_t)t->call->result : 0;

	switch (t->arg->kind) {
	case KIND_path:
	case KIND_str:
		return string_show(t, t->value, SIZE_MAX);
	case KIND_prctl_arg2:
		return task_name_show(t);
	case KIND_in:
		return buffer_show(t, t->value, call_length(t));
	case KIND_out:
		return t->call->returned && !call_failed(t->call) &&
		       buffer_show(t, t->value, call_length(t));
	case KIND_outstr:
		return t->call->returned && !call_failed(t->call) &&
		       string_show(t, t->value, SIZE_MAX);
	case KIND_iov:
		return vector_show(t, t->value, call_length(t), UINT64_MAX);
	case KIND_iov_out:
		return t->call->returned && vector_show(t, t->value, call_length(t), total);
	case KIND_msg:
		return message_show(t, t->value, UINT64_MAX);
	case KIND_msg_out:
		return t->call->returned && !call_failed(t->call) &&
		       message_show(t, t->value, total);
	case KIND_mmsg:
		return messages_show(t, call_length(t));
	case KIND_mmsg_out:
		return t->call->returned && !call_failed(t->call) && messages_show(t, total);
	case KIND_strings:
		return words_show(t);
	default:
		return false;
	}
}
