// SPDX-License-Identifier: MIT
/* Control messages of sendmsg and recvmsg, as strace writes them. */
#include "view/trace/call_fields.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

enum { LEVEL_IP = 0, LEVEL_SOCKET = 1 };

static const struct field credentials_fields[] = {
	{"pid", 0, 4, FIELD_NUMBER},
	{"uid", 4, 4, FIELD_NUMBER},
	{"gid", 8, 4, FIELD_NUMBER},
};
/* struct timeval and struct timespec of 64-bit machines */
static const struct field timeval_fields[] = {
	{"tv_sec", 0, 8, FIELD_SIGNED},
	{"tv_usec", 8, 8, FIELD_SIGNED},
};
static const struct field timespec_fields[] = {
	{"tv_sec", 0, 8, FIELD_SIGNED},
	{"tv_nsec", 8, 8, FIELD_SIGNED},
};

static void descriptors_show(const struct call_text *t, const uint8_t *p, size_t n)
{
	buf_char(t->out, '[');
	for (size_t i = 0; i + 4 <= n; i += 4)
		buf_printf(t->out, "%s%d", i ? ", " : "", (int)field_number(p + i, 4));
	buf_char(t->out, ']');
}

static void address_text(const uint8_t *p, struct buf *out)
{
	char text[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, p, text, sizeof(text));
	buf_printf(out, "inet_addr(\"%s\")", text);
}

/* struct in_pktinfo */
static void packet_show(const struct call_text *t, const uint8_t *p)
{
	buf_printf(t->out, "{ipi_ifindex=%d, ipi_spec_dst=", (int)field_number(p, 4));
	address_text(p + 4, t->out);
	buf_str(t->out, ", ipi_addr=");
	address_text(p + 8, t->out);
	buf_char(t->out, '}');
}

static void data_show(const struct call_text *t, int level, int type, const uint8_t *p, size_t n)
{
	enum { RIGHTS = 1, CREDENTIALS, SECURITY, PIDFD, TIMESTAMP = 29, TIMESTAMPNS = 35 };
	enum { IP_TOS_TYPE = 1, IP_TTL_TYPE = 2, IP_PKTINFO_TYPE = 8 };

	if (level == LEVEL_SOCKET && type == RIGHTS)
		descriptors_show(t, p, n);
	else if (level == LEVEL_SOCKET && type == CREDENTIALS && n >= 12)
		call_fields_show(t, p, n, credentials_fields, ARRAY_SIZE(credentials_fields));
	else if (level == LEVEL_SOCKET && type == PIDFD && n >= 4)
		buf_printf(t->out, "%d", (int)field_number(p, 4));
	else if (level == LEVEL_SOCKET && type == TIMESTAMP && n >= 16)
		call_fields_show(t, p, n, timeval_fields, ARRAY_SIZE(timeval_fields));
	else if (level == LEVEL_SOCKET && type == TIMESTAMPNS && n >= 16)
		call_fields_show(t, p, n, timespec_fields, ARRAY_SIZE(timespec_fields));
	else if (level == LEVEL_IP && type == IP_PKTINFO_TYPE && n >= 12)
		packet_show(t, p);
	else if (level == LEVEL_IP && type == IP_TTL_TYPE && n >= 4)
		buf_printf(t->out, "[%d]", (int)field_number(p, 4));
	else if (level == LEVEL_IP && type == IP_TOS_TYPE && n)
		buf_printf(t->out, "[%#x]", p[0]);
	else
		call_quote(p, MIN(n, (size_t)t->style->strings), n > t->style->strings, t->out);
}

static void type_show(const struct call_text *t, int level, int type)
{
	const struct words *w = NULL;

	if (level == LEVEL_SOCKET)
		w = call_words(words_name(call_words(WORDS_scm), (uint64_t)type) ? WORDS_scm
										 : WORDS_so);
	else if (level == LEVEL_IP)
		w = call_words(WORDS_ip_option);
	if (level == LEVEL_SOCKET && (type == 29 || type == 35))
		buf_str(t->out, type == 29 ? "SCM_TIMESTAMP" : "SCM_TIMESTAMPNS");
	else if (w && words_name(w, (uint64_t)type))
		buf_printf(t->out, "%s%s", w->prefix, words_name(w, (uint64_t)type));
	else
		buf_printf(t->out, "%#x", (unsigned int)type);
}

static void message_head_show(const struct call_text *t, uint64_t length, int level, int type)
{
	const char *name = words_name(call_words(WORDS_sol), (uint64_t)level);

	buf_printf(t->out, "{cmsg_len=%llu, cmsg_level=", (unsigned long long)length);
	if (name)
		buf_printf(t->out, "SOL_%s, cmsg_type=", name);
	else
		buf_printf(t->out, "%d, cmsg_type=", level);
	type_show(t, level, type);
}

bool call_control_show(const struct call_text *t, uint64_t address, uint64_t total)
{
	/* struct cmsghdr: its length, a long, level and type */
	const unsigned int width = call_long_size(t->call, t->arg->kind), head = width + 8;
	size_t n, at = 0;
	const uint8_t *p = total ? call_bytes(t->call, address, &n) : NULL;

	if (!p)
		return false;
	n = MIN(n, (size_t)total);
	buf_char(t->out, '[');
	while (n - at >= head) {
		const uint64_t length = field_number(p + at, width);
		const int level = (int)field_number(p + at + width, 4);
		const int type = (int)field_number(p + at + width + 4, 4);

		if (length < head || length > n - at)
			break;
		buf_str(t->out, at ? ", " : "");
		message_head_show(t, length, level, type);
		if (length > head) {
			buf_str(t->out, ", cmsg_data=");
			data_show(t, level, type, p + at + head, (size_t)length - head);
		}
		buf_char(t->out, '}');
		at += MIN(((size_t)length + width - 1) & ~(size_t)(width - 1), n - at);
	}
	buf_str(t->out, at >= total ? "]" : at ? ", ...]" : "...]");
	return true;
}
