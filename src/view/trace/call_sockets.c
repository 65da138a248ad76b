// SPDX-License-Identifier: MIT
/* Socket addresses, as strace writes them. */
#include "view/trace/call_text.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

static void inet_show(const uint8_t *p, struct buf *out)
{
	struct sockaddr_in a;
	char text[INET_ADDRSTRLEN];

	memcpy(&a, p, sizeof(a));
	inet_ntop(AF_INET, &a.sin_addr, text, sizeof(text));
	buf_printf(out, "sin_port=htons(%u), sin_addr=inet_addr(\"%s\")", ntohs(a.sin_port), text);
}

static void inet6_show(const uint8_t *p, struct buf *out)
{
	struct sockaddr_in6 a;
	char text[INET6_ADDRSTRLEN];

	memcpy(&a, p, sizeof(a));
	inet_ntop(AF_INET6, &a.sin6_addr, text, sizeof(text));
	buf_printf(out,
		   "sin6_port=htons(%u), sin6_flowinfo=htonl(%u), inet_pton(AF_INET6, \"%s\", "
		   "&sin6_addr), "
		   "sin6_scope_id=%u",
		   ntohs(a.sin6_port), ntohl(a.sin6_flowinfo), text, a.sin6_scope_id);
}

static void unix_show(const uint8_t *path, size_t n, struct buf *out)
{
	buf_str(out, "sun_path=");
	if (n && !path[0]) { /* a name that is no path */
		buf_char(out, '@');
		call_quote(path + 1, n - 1, false, out);
	} else {
		call_quote(path, strnlen((const char *)path, n), false, out);
	}
}

static void netlink_show(const uint8_t *p, struct buf *out)
{
	uint32_t pid, groups;

	memcpy(&pid, p + 4, sizeof(pid));
	memcpy(&groups, p + 8, sizeof(groups));
	buf_printf(out, "nl_pid=%u, nl_groups=%08x", pid, groups);
}

void call_address_show(const uint8_t *p, size_t n, struct buf *out)
{
	uint16_t family;
	const char *name;

	if (n < sizeof(family)) {
		call_quote(p, n, false, out);
		return;
	}
	memcpy(&family, p, sizeof(family));
	name = words_name(call_words(WORDS_af), family);
	if (name && family == AF_UNIX)
		name = "UNIX";
	buf_str(out, "{sa_family=");
	if (name)
		buf_printf(out, "AF_%s", name);
	else
		buf_printf(out, "%#x", family);
	if (n > sizeof(family))
		buf_str(out, ", ");
	if (family == AF_INET && n >= sizeof(struct sockaddr_in))
		inet_show(p, out);
	else if (family == AF_INET6 && n >= sizeof(struct sockaddr_in6))
		inet6_show(p, out);
	else if (family == AF_UNIX && n > 2)
		unix_show(p + 2, n - 2, out);
	else if (family == AF_NETLINK && n >= 12)
		netlink_show(p, out);
	else if (n > 2) {
		buf_str(out, "sa_data=");
		call_quote(p + 2, n - 2, false, out);
	}
	buf_char(out, '}');
}

/* The length that the kernel wrote. */
static bool written_length(const struct call_text *t, uint32_t *n)
{
	uint64_t at = t->arg->length < CALL_ARGS ? t->call->args[t->arg->length] : 0;

	return t->call->returned && !call_failed(t->call) && at &&
	       call_read(t->call, at, n, sizeof(*n));
}

static void option_value_show(const uint8_t *p, size_t n, struct buf *out)
{
	int32_t number;

	if (n != sizeof(number)) {
		call_quote(p, n, false, out);
		return;
	}
	memcpy(&number, p, sizeof(number));
	buf_printf(out, "[%d]", number);
}

bool call_socket_show(const struct call_text *t)
{
	bool written = t->arg->kind == KIND_sockaddr_out || t->arg->kind == KIND_sockoptval_out;
	uint32_t length = written ? 0 : (uint32_t)call_length(t);
	const uint8_t *p;
	size_t n;

	if (!written && t->arg->kind != KIND_sockaddr && t->arg->kind != KIND_sockoptval)
		return false;
	if (written && !written_length(t, &length))
		return false;
	p = call_bytes(t->call, t->value, &n);
	if (!p)
		return false;
	n = MIN(n, length);
	if (t->arg->kind == KIND_sockaddr || t->arg->kind == KIND_sockaddr_out)
		call_address_show(p, n, t->out);
	else
		option_value_show(p, n, t->out);
	return true;
}
