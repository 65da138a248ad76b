// SPDX-License-Identifier: MIT
/* Arguments that are no pointers: numbers, flags, names of values, descriptors. */
#include "view/trace/call_text.h"

#include "base/mem.h"

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

static void socket_protocol_show(const struct call_text *t)
{
	static const struct {
		int protocol;
		const char *name;
	} names[] = {{0, "IP"},	       {1, "ICMP"},  {2, "IGMP"},    {6, "TCP"},
		     {17, "UDP"},      {41, "IPV6"}, {58, "ICMPV6"}, {132, "SCTP"},
		     {136, "UDPLITE"}, {255, "RAW"}, {262, "MPTCP"}};
	bool internet = t->call->args[0] == 2 || t->call->args[0] == 10;

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

	if (level == 1)
		call_enum_show(t, WORDS_so, t->value, "%d");
	else if (level == 6)
		call_enum_show(t, WORDS_tcp, t->value, "%d");
	else
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

static void prctl_arg2_show(const struct call_text *t)
{
	const char *name = words_name(call_words(WORDS_prctl), t->call->args[0]);

	if (name && !strcmp(name, "SET_PDEATHSIG"))
		call_enum_show(t, WORDS_signal, t->value, "%d");
	else if (name && !strncmp(name, "CAPBSET_", 8))
		call_enum_show(t, WORDS_cap, t->value, "%d");
	else if (name && !strcmp(name, "SET_NAME"))
		hex_show(t, t->value);
	else
		buf_sdec(t->out, (int64_t)t->value);
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
		prctl_arg2_show(t);
		return true;
	default:
		return false;
	}
}
