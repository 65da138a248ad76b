// SPDX-License-Identifier: MIT
/* Socket addresses and values of socket options, as strace writes them. */
#include "view/trace/call_fields.h"

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
	buf_printf(out, "nl_pid=%u, nl_groups=%#08x", pid, groups);
}

/* struct sockaddr_ll of <linux/if_packet.h> */
static void packet_show(const struct call_text *t, const uint8_t *p)
{
	enum { PROTOCOL_AT = 2, INDEX_AT = 4, HARDWARE_AT = 8, TYPE_AT = 10, LENGTH_AT = 11 };

	buf_str(t->out, "sll_protocol=");
	call_ethernet_show(t, (uint16_t)field_number(p + PROTOCOL_AT, 2));
	buf_printf(t->out, ", sll_ifindex=%d, sll_hatype=%u, sll_pkttype=",
		   (int)field_number(p + INDEX_AT, 4),
		   (unsigned int)field_number(p + HARDWARE_AT, 2));
	call_enum_show(t, WORDS_packet_type, p[TYPE_AT], "%u");
	buf_printf(t->out, ", sll_halen=%u", p[LENGTH_AT]);
}

/* struct sockaddr_vm of <linux/vm_sockets.h> */
static void vsock_show(const uint8_t *p, struct buf *out)
{
	static const char *const known[] = {"HYPERVISOR", "LOCAL", "HOST"};
	const uint32_t port = (uint32_t)field_number(p + 4, 4),
		       cid = (uint32_t)field_number(p + 8, 4);

	buf_str(out, "svm_cid=");
	if (cid < ARRAY_SIZE(known) || cid == UINT32_MAX)
		buf_printf(out, "VMADDR_CID_%s", cid == UINT32_MAX ? "ANY" : known[cid]);
	else
		buf_printf(out, "%#x", cid);
	buf_printf(out, port == UINT32_MAX ? ", svm_port=VMADDR_PORT_ANY" : ", svm_port=%#x", port);
}

/* struct sockaddr_alg of <linux/if_alg.h> */
static void algorithm_show(const uint8_t *p, size_t n, struct buf *out)
{
	enum { TYPE_AT = 2, TYPE_SIZE = 14, FEATURES_AT = 16, MASK_AT = 20, NAME_AT = 24 };
	const char *type = (const char *)p + TYPE_AT, *name = (const char *)p + NAME_AT;

	buf_str(out, "salg_type=");
	call_quote(p + TYPE_AT, strnlen(type, TYPE_SIZE), false, out);
	buf_printf(out, ", salg_feat=%#x, salg_mask=%#x, salg_name=",
		   (uint32_t)field_number(p + FEATURES_AT, 4),
		   (uint32_t)field_number(p + MASK_AT, 4));
	call_quote(p + NAME_AT, strnlen(name, n - NAME_AT), false, out);
}

/* False: the family is none of these, or the address is too short for it. */
static bool device_address_show(const struct call_text *t, uint16_t family, const uint8_t *p,
				size_t n)
{
	enum { PACKET_LEAST = 12, VSOCK_LEAST = 12, ALGORITHM_LEAST = 25 };

	if (family == AF_PACKET && n >= PACKET_LEAST)
		packet_show(t, p);
	else if (family == AF_VSOCK && n >= VSOCK_LEAST)
		vsock_show(p, t->out);
	else if (family == AF_ALG && n >= ALGORITHM_LEAST)
		algorithm_show(p, n, t->out);
	else
		return false;
	return true;
}

void call_address_show(const struct call_text *t, const uint8_t *p, size_t n)
{
	struct buf *out = t->out;
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
	else if (n > 2 && !device_address_show(t, family, p, n)) {
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

static const struct field linger_fields[] = {
	{"l_onoff", 0, 4, FIELD_SIGNED},
	{"l_linger", 4, 4, FIELD_SIGNED},
};
static const struct field time_fields[] = {
	{"tv_sec", 0, 8, FIELD_SIGNED},
	{"tv_usec", 8, 8, FIELD_SIGNED},
};
static const struct field credentials_fields[] = {
	{"pid", 0, 4, FIELD_SIGNED},
	{"uid", 4, 4, FIELD_NUMBER},
	{"gid", 8, 4, FIELD_NUMBER},
};

/* Structures of the options of all sockets. False: it is none of them. */
static bool option_struct_show(const struct call_text *t, const uint8_t *p, size_t n)
{
	enum { LEVEL_SOCKET = 1, LINGER = 13, PEERCRED = 17, RCVTIMEO = 20, SNDTIMEO = 21 };
	const uint64_t option = t->call->args[2];

	if (t->call->args[1] != LEVEL_SOCKET)
		return false;
	if (option == LINGER && n == 8)
		call_fields_show(t, p, n, linger_fields, ARRAY_SIZE(linger_fields));
	else if ((option == RCVTIMEO || option == SNDTIMEO) && n == 16)
		call_fields_show(t, p, n, time_fields, ARRAY_SIZE(time_fields));
	else if (option == PEERCRED && n == 12)
		call_fields_show(t, p, n, credentials_fields, ARRAY_SIZE(credentials_fields));
	else
		return false;
	return true;
}

static void option_value_show(const struct call_text *t, const uint8_t *p, size_t n)
{
	struct buf *out = t->out;
	int32_t number;

	if (option_struct_show(t, p, n))
		return;
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
		call_address_show(t, p, n);
	else
		option_value_show(t, p, n);
	return true;
}
