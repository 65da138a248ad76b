// SPDX-License-Identifier: MIT
/* Arguments that are no pointers: numbers, flags, names of values, descriptors. */
#include "view/trace/call_text.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <string.h>

#define AT_CURRENT_DIRECTORY -100

static void hex_show(const struct call_text *t, uint64_t value)
{
	buf_str(t->out, "0x");
	buf_hex(t->out, value);
}

void call_bits_show(const struct call_text *t, enum words_group group, uint64_t value)
{
	const struct words *w = call_words(group);
	size_t shown = 0;

	for (size_t i = 0; i < w->n; i++) {
		uint64_t bits = w->at[i].value;

		if (!bits || (value & bits) != bits)
			continue;
		if (shown++)
			buf_char(t->out, '|');
		if (t->style->prefixes)
			buf_str(t->out, w->prefix);
		buf_str(t->out, w->at[i].name);
		value &= ~bits;
	}
	if (value || !shown) {
		if (shown)
			buf_char(t->out, '|');
		if (value)
			hex_show(t, value);
		else
			buf_char(t->out, '0');
	}
}

void call_enum_show(const struct call_text *t, enum words_group group, uint64_t value,
		    const char *unknown)
{
	const struct words *w = call_words(group);
	const char *name = words_name(w, (uint32_t)value);

	if (!name) {
		buf_printf(t->out, unknown, (int)value);
		return;
	}
	if (t->style->prefixes)
		buf_str(t->out, w->prefix);
	buf_str(t->out, name);
}

/* Names of several bits at once come first, as perf has them. */
void call_mode_show(const struct call_text *t, uint32_t mode)
{
	static const struct {
		const char *name;
		uint32_t bits;
	} names[] = {
		{"IALLUGO", 07777}, {"IRWXUGO", 0777},	 {"IRUGO", 0444},    {"IWUGO", 0222},
		{"IXUGO", 0111},    {"IFSOCK", 0140000}, {"IFLNK", 0120000}, {"IFREG", 0100000},
		{"IFBLK", 0060000}, {"IFDIR", 0040000},	 {"IFCHR", 0020000}, {"IFIFO", 0010000},
		{"ISUID", 04000},   {"ISGID", 02000},	 {"ISVTX", 01000},   {"IRWXU", 0700},
		{"IRUSR", 0400},    {"IWUSR", 0200},	 {"IXUSR", 0100},    {"IRWXG", 070},
		{"IRGRP", 040},	    {"IWGRP", 020},	 {"IXGRP", 010},     {"IRWXO", 07},
		{"IROTH", 04},	    {"IWOTH", 02},	 {"IXOTH", 01},
	};
	size_t shown = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if ((mode & names[i].bits) != names[i].bits)
			continue;
		buf_printf(t->out, "%s%s%s", shown++ ? "|" : "", t->style->prefixes ? "S_" : "",
			   names[i].name);
		mode &= ~names[i].bits;
	}
	if (mode)
		buf_printf(t->out, "%s%#x", shown ? "|" : "", mode);
}

void call_fd_show(const struct call_text *t, int fd)
{
	const struct call_style *s = t->style;
	const char *path = s->path && fd >= 0 ? s->path(s->ctx, t->call->pid, fd) : NULL;

	buf_sdec(t->out, fd);
	if (path) {
		buf_char(t->out, '<');
		buf_safe(t->out, path);
		buf_char(t->out, '>');
	}
}

static void directory_show(const struct call_text *t)
{
	if ((int)t->value == AT_CURRENT_DIRECTORY)
		buf_str(t->out, t->style->prefixes ? "AT_FDCWD" : "CWD");
	else
		call_fd_show(t, (int)t->value);
}

static void pid_show(const struct call_text *t)
{
	const struct call_style *s = t->style;
	const char *comm =
		s->comm && (int)t->value > 0 ? s->comm(s->ctx, (uint32_t)t->value) : NULL;

	buf_sdec(t->out, (int)t->value);
	if (comm) {
		buf_str(t->out, " (");
		buf_safe(t->out, comm);
		buf_char(t->out, ')');
	}
}

/* O_RDONLY, O_WRONLY or O_RDWR is always shown: O_RDONLY is zero. */
void call_open_flags_show(const struct call_text *t, uint64_t value)
{
	if (!(value & 3)) {
		buf_str(t->out, t->style->prefixes ? "O_RDONLY" : "RDONLY");
		if (!value)
			return;
		buf_char(t->out, '|');
	}
	call_bits_show(t, WORDS_open, (uint32_t)value);
}

static void map_flags_show(const struct call_text *t)
{
	uint64_t value = t->value;

	if ((value & 3) == 3) { /* both bits are a type of its own */
		buf_str(t->out, t->style->prefixes ? "MAP_SHARED_VALIDATE" : "SHARED_VALIDATE");
		value &= ~3ull;
		if (!value)
			return;
		buf_char(t->out, '|');
	}
	call_bits_show(t, WORDS_map, value);
}

static void socket_type_show(const struct call_text *t)
{
	call_enum_show(t, WORDS_sock_type, t->value & 15, "%#x");
	if (t->value & ~15ull) {
		buf_char(t->out, '|');
		call_bits_show(t, WORDS_sock, t->value & ~15ull);
	}
}

void call_ethernet_show(const struct call_text *t, uint16_t protocol)
{
	buf_str(t->out, "htons(");
	call_enum_show(t, WORDS_ethernet, ntohs(protocol), "%#x");
	buf_char(t->out, ')');
}

static void socket_protocol_show(const struct call_text *t)
{
	static const struct {
		int protocol;
		const char *name;
	} names[] = {{0, "IP"},	       {1, "ICMP"},  {2, "IGMP"},    {6, "TCP"},
		     {17, "UDP"},      {41, "IPV6"}, {58, "ICMPV6"}, {132, "SCTP"},
		     {136, "UDPLITE"}, {255, "RAW"}, {262, "MPTCP"}};
	enum { INET = 2, INET6 = 10, NETLINK = 16, PACKET = 17 };
	const uint64_t family = t->call->args[0];
	bool internet = family == INET || family == INET6;

	if (family == NETLINK || family == PACKET) {
		if (family == NETLINK)
			call_enum_show(t, WORDS_netlink, t->value, "%d");
		else
			call_ethernet_show(t, (uint16_t)t->value);
		return;
	}
	for (size_t i = 0; internet && i < ARRAY_SIZE(names); i++) {
		if ((int)t->value == names[i].protocol) {
			buf_str(t->out, names[i].name);
			return;
		}
	}
	buf_sdec(t->out, (int)t->value);
}

#define FUTEX_PRIVATE  128
#define FUTEX_REALTIME 256
static void futex_operation_show(const struct call_text *t)
{
	call_enum_show(t, WORDS_futex, t->value & 127, "%#x");
	if (t->value & FUTEX_PRIVATE)
		buf_str(t->out, "|PRIVATE_FLAG");
	if (t->value & FUTEX_REALTIME)
		buf_str(t->out, "|CLOCK_REALTIME");
}

/* WAIT_BITSET and WAKE_BITSET take a bit set, usually with all bits set. */
static void futex_third_show(const struct call_text *t)
{
	unsigned int operation = t->call->args[1] & 127;

	if ((operation == 9 || operation == 10) && (uint32_t)t->value == UINT32_MAX)
		buf_str(t->out, "MATCH_ANY");
	else
		hex_show(t, (uint32_t)t->value);
}

static void socket_option_show(const struct call_text *t)
{
	uint64_t level = t->arg->length < CALL_ARGS ? t->call->args[t->arg->length] : 0;

	static const struct {
		uint16_t level, words;
	} options[] = {{0, WORDS_ip_option},
		       {1, WORDS_so},
		       {6, WORDS_tcp},
		       {17, WORDS_udp},
		       {41, WORDS_ipv6_option},
		       {263, WORDS_packet_option},
		       {270, WORDS_netlink_option}};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if (level != options[i].level)
			continue;
		call_enum_show(t, options[i].words, t->value, "%d");
		return;
	}
	buf_sdec(t->out, (int)t->value);
}

enum { FCNTL_DUPFD, FCNTL_GETFD, FCNTL_SETFD, FCNTL_GETFL, FCNTL_SETFL };
/* False: the command takes a pointer to a lock. */
static bool fcntl_arg_show(const struct call_text *t)
{
	int cmd = (int)t->call->args[1];

	if (cmd == FCNTL_SETFD) {
		call_bits_show(t, WORDS_fd_flags, t->value);
	} else if (cmd == FCNTL_SETFL) {
		call_open_flags_show(t, t->value);
	} else if (cmd == FCNTL_DUPFD || cmd == 1030 ||
		   cmd == 1031) { /* F_DUPFD_CLOEXEC, F_SETPIPE_SZ */
		buf_sdec(t->out, (int64_t)t->value);
	} else if (call_takes_lock(t->call)) {
		return false;
	} else {
		hex_show(t, t->value);
	}
	return true;
}

static void ioctl_show(const struct call_text *t)
{
	static const char *const directions[] = {"_IO", "_IOW", "_IOR", "_IOWR"};
	uint32_t cmd = (uint32_t)t->value;
	const char *name = words_name(call_words(WORDS_ioctl), cmd);

	if (name)
		buf_str(t->out, name);
	else
		buf_printf(t->out, "%s(%#x, %#x, %#x)", directions[cmd >> 30], cmd >> 8 & 255,
			   cmd & 255, cmd >> 16 & 0x3fff);
}

static bool prctl_arg2_show(const struct call_text *t)
{
	const char *name = words_name(call_words(WORDS_prctl), t->call->args[0]);

	if (name && !strcmp(name, "SET_PDEATHSIG"))
		call_enum_show(t, WORDS_signal, t->value, "%d");
	else if (name && !strncmp(name, "CAPBSET_", 8))
		call_enum_show(t, WORDS_cap, t->value, "%d");
	else if (name && (!strcmp(name, "SET_NAME") || !strcmp(name, "GET_NAME")))
		return false;
	else
		buf_sdec(t->out, (int64_t)t->value);
	return true;
}

/* Flags begin here; below are values, of which there is one. */
#define FLAGS_FROM 0x1000u

static void value_and_flags_show(const struct call_text *t)
{
	const uint32_t value = (uint32_t)t->value, flags = value & ~(FLAGS_FROM - 1);

	if (value == UINT32_MAX) {
		hex_show(t, value);
		return;
	}
	call_enum_show(t, t->arg->words, value - flags, "%d");
	if (flags) {
		buf_char(t->out, '|');
		call_bits_show(t, t->arg->words, flags);
	}
}

/* A number where the call's other arguments allow pointers, too. */
static void word_show(const struct call_text *t)
{
	if ((int64_t)t->value == (int32_t)t->value || t->value >> 32 == 0)
		call_enum_show(t, t->arg->words, t->value, "%d");
	else
		hex_show(t, t->value);
}

/* The priority of reads and writes: a class, and a level in it. */
static void io_priority_show(const struct call_text *t)
{
	buf_str(t->out, "IOPRIO_PRIO_VALUE(IOPRIO_CLASS_");
	buf_str(t->out, words_name(call_words(WORDS_ioprio_class), t->value >> 13 & 7) ?: "???");
	buf_printf(t->out, ", %u)", (unsigned int)(t->value & 0x1fff));
}

static void quota_command_show(const struct call_text *t)
{
	buf_str(t->out, "QCMD(");
	call_enum_show(t, WORDS_quota, (uint32_t)t->value >> 8, "%#x");
	buf_str(t->out, ", ");
	call_enum_show(t, WORDS_quota_type, t->value & 255, "%d");
	buf_char(t->out, ')');
}

static void ipc_key_show(const struct call_text *t)
{
	if ((uint32_t)t->value)
		hex_show(t, (uint32_t)t->value);
	else
		buf_str(t->out, t->style->prefixes ? "IPC_PRIVATE" : "PRIVATE");
}

/* Flags, and permissions below them. */
static void ipc_get_show(const struct call_text *t)
{
	const uint32_t mode = (uint32_t)t->value & 0777, flags = (uint32_t)t->value & ~0777u;

	if (flags) {
		call_bits_show(t, t->arg->words, flags);
		buf_char(t->out, '|');
	}
	buf_printf(t->out, mode ? "%#o" : "000", mode);
}

static bool rare_number_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_enum_flags:
		value_and_flags_show(t);
		return true;
	case KIND_word:
		word_show(t);
		return true;
	case KIND_ioprio:
		io_priority_show(t);
		return true;
	case KIND_quota_cmd:
		quota_command_show(t);
		return true;
	case KIND_ipc_key:
		ipc_key_show(t);
		return true;
	case KIND_ipc_get:
		ipc_get_show(t);
		return true;
	default:
		return false;
	}
}

static bool plain_number_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_long:
		buf_sdec(t->out, (int64_t)t->value);
		return true;
	case KIND_int:
		buf_sdec(t->out, (int)t->value);
		return true;
	case KIND_uint:
		if ((uint32_t)t->value == UINT32_MAX) /* "none" or "as it is" of ids */
			buf_str(t->out, "-1");
		else
			buf_dec(t->out, (uint32_t)t->value);
		return true;
	case KIND_hex:
	case KIND_ptr:
	case KIND_count:
		hex_show(t, t->value);
		return true;
	case KIND_prctl_arg3:
		if (call_installs_filter(t->call))
			return false;
		buf_sdec(t->out, (int64_t)t->value);
		return true;
	default:
		return false;
	}
}

static bool flags_show(const struct call_text *t)
{
	switch (t->arg->kind) {
	case KIND_bits:
		call_bits_show(t, t->arg->words, t->value);
		return true;
	case KIND_enum:
	case KIND_choice: /* a value for which zero means none */
		call_enum_show(t, t->arg->words, t->value, "%d");
		return true;
	case KIND_open_flags:
		call_open_flags_show(t, t->value);
		return true;
	case KIND_mmap_flags:
		map_flags_show(t);
		return true;
	case KIND_sock_type:
		socket_type_show(t);
		return true;
	case KIND_sock_protocol:
		socket_protocol_show(t);
		return true;
	case KIND_sockopt:
		socket_option_show(t);
		return true;
	case KIND_futex_op:
		futex_operation_show(t);
		return true;
	case KIND_futex_val3:
		futex_third_show(t);
		return true;
	default:
		return false;
	}
}

bool call_number_show(const struct call_text *t)
{
	if (plain_number_show(t) || flags_show(t))
		return true;
	switch (t->arg->kind) {
	case KIND_fd:
		call_fd_show(t, (int)t->value);
		return true;
	case KIND_dfd:
		directory_show(t);
		return true;
	case KIND_pid:
		pid_show(t);
		return true;
	case KIND_mode:
	case KIND_open_mode:
		call_mode_show(t, (uint32_t)t->value);
		return true;
	case KIND_sig:
		call_enum_show(t, WORDS_signal, t->value, "%#x");
		return true;
	case KIND_fcntl_arg:
		return fcntl_arg_show(t);
	case KIND_ioctl_cmd:
		ioctl_show(t);
		return true;
	case KIND_prctl_arg2:
		return prctl_arg2_show(t);
	default:
		return rare_number_show(t);
	}
}
