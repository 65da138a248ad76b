// SPDX-License-Identifier: MIT
/* Structures that the kernel fills in about files, processes and itself, and bpf's attributes, as
 * strace writes them. */
#include "view/trace/call_text.h"

#include "base/mem.h"

#include <string.h>

typedef unsigned long long ull;

/* struct statfs of <asm-generic/statfs.h> on 64-bit machines */
static bool statfs_show(const struct call_text *t)
{
	struct {
		uint64_t type, block_size, blocks, free, available, files, free_files;
		int32_t id[2];
		uint64_t name_length, fragment_size, flags, spare[4];
	} s;

	if (!call_read(t->call, t->value, &s, sizeof(s)))
		return false;
	buf_str(t->out, "{f_type=");
	call_enum_show(t, WORDS_fs_magic, s.type, "%#x");
	buf_printf(t->out, ", f_bsize=%llu, f_blocks=%llu, f_bfree=%llu, f_bavail=%llu",
		   (ull)s.block_size, (ull)s.blocks, (ull)s.free, (ull)s.available);
	buf_printf(t->out, ", f_files=%llu, f_ffree=%llu, f_fsid={val=[%#x, %#x]}", (ull)s.files,
		   (ull)s.free_files, (unsigned int)s.id[0], (unsigned int)s.id[1]);
	buf_printf(t->out, ", f_namelen=%llu, f_frsize=%llu, f_flags=", (ull)s.name_length,
		   (ull)s.fragment_size);
	call_bits_show(t, WORDS_statfs_flags, s.flags);
	buf_char(t->out, '}');
	return true;
}

/* struct sysinfo of <linux/sysinfo.h> on 64-bit machines */
static bool sysinfo_show(const struct call_text *t)
{
	struct {
		int64_t uptime;
		uint64_t loads[3], total, free, shared, buffers, total_swap, free_swap;
		uint16_t processes, unused[3];
		uint64_t total_high, free_high;
		uint32_t unit, unused_too;
	} s;

	if (!call_read(t->call, t->value, &s, sizeof(s)))
		return false;
	buf_printf(t->out, "{uptime=%lld, loads=[%llu, %llu, %llu], totalram=%llu, freeram=%llu",
		   (long long)s.uptime, (ull)s.loads[0], (ull)s.loads[1], (ull)s.loads[2],
		   (ull)s.total, (ull)s.free);
	buf_printf(t->out, ", sharedram=%llu, bufferram=%llu, totalswap=%llu, freeswap=%llu",
		   (ull)s.shared, (ull)s.buffers, (ull)s.total_swap, (ull)s.free_swap);
	buf_printf(t->out, ", procs=%u, totalhigh=%llu, freehigh=%llu, mem_unit=%u}", s.processes,
		   (ull)s.total_high, (ull)s.free_high, s.unit);
	return true;
}

/* The two times of struct rusage; the rest is left out, as strace does. */
static bool rusage_show(const struct call_text *t)
{
	int64_t v[4];

	if (!call_read(t->call, t->value, v, sizeof(v)))
		return false;
	buf_printf(t->out,
		   "{ru_utime={tv_sec=%lld, tv_usec=%lld}, ru_stime={tv_sec=%lld, tv_usec=%lld}, "
		   "...}",
		   (long long)v[0], (long long)v[1], (long long)v[2], (long long)v[3]);
	return true;
}

#define ENTRY_HEAD 19 /* struct linux_dirent64: inode, offset, length (2 bytes), type */

/* The names of a folder's entries, as many as were copied. */
static bool entries_show(const struct call_text *t)
{
	const uint64_t total = (uint64_t)t->call->result;
	size_t n = 0, at = 0;
	const uint8_t *p = total ? call_bytes(t->call, t->value, &n) : NULL;

	if (total ? !p : !t->call->copies)
		return false;
	n = MIN(n, (size_t)total);
	buf_char(t->out, '[');
	while (n - at > ENTRY_HEAD) {
		const char *name = (const char *)p + at + ENTRY_HEAD;
		uint16_t length;
		size_t most, name_length;

		memcpy(&length, p + at + 16, sizeof(length));
		if (length <= ENTRY_HEAD || n - at < length)
			break;
		most = length - ENTRY_HEAD;
		name_length = strnlen(name, most);
		buf_str(t->out, at ? ", " : "");
		call_quote((const uint8_t *)name, name_length, false, t->out);
		at += length;
	}
	buf_str(t->out, at == total ? "]" : at ? ", ...]" : "...]");
	return true;
}

/* Attributes of some commands: union bpf_attr of <linux/bpf.h>. What is behind the end that the
 * caller gave is zero. */
union attributes {
	struct {
		uint32_t type, key_size, value_size, entries, flags, inner, node;
		char name[16];
	} map;
	struct {
		uint32_t fd, unused;
		uint64_t key, value, flags;
	} element;
	struct {
		uint32_t type, n;
		uint64_t insns, license;
		uint32_t log_level, log_size;
		uint64_t log;
		uint32_t version, flags;
		char name[16];
	} program;
	struct {
		uint32_t fd, target, type, flags;
	} link;
	struct {
		uint64_t name;
		uint32_t fd;
	} tracepoint;
	struct {
		uint32_t fd, size;
		uint64_t info;
	} about;
};

enum {
	MAP_CREATE,
	MAP_LOOKUP,
	MAP_UPDATE,
	MAP_DELETE,
	MAP_NEXT,
	PROG_LOAD,
	OBJ_INFO = 15,
	TRACEPOINT_OPEN = 17,
	LINK_CREATE = 28
};

static void object_name_show(const struct call_text *t, const char *key, const char *name)
{
	buf_printf(t->out, ", %s=", key);
	call_quote((const uint8_t *)name, strnlen(name, 16), false, t->out);
	buf_char(t->out, '}');
}

static void element_show(const struct call_text *t, const union attributes *a, const char *second)
{
	buf_printf(t->out, "{map_fd=%u, key=%#llx", a->element.fd, (ull)a->element.key);
	if (second)
		buf_printf(t->out, ", %s=%#llx", second, (ull)a->element.value);
	buf_char(t->out, '}');
}

static bool bpf_show(const struct call_text *t)
{
	union attributes a = {0};
	size_t n;
	const uint8_t *p = call_bytes(t->call, t->value, &n);

	if (!p)
		return false;
	memcpy(&a, p, MIN(MIN(n, sizeof(a)), call_length(t)));
	switch (t->call->args[0]) {
	case MAP_CREATE:
		buf_str(t->out, "{map_type=");
		call_enum_show(t, WORDS_bpf_map, a.map.type, "%u");
		buf_printf(t->out, ", key_size=%u, value_size=%u, max_entries=%u, map_flags=%#x",
			   a.map.key_size, a.map.value_size, a.map.entries, a.map.flags);
		object_name_show(t, "map_name", a.map.name);
		return true;
	case MAP_LOOKUP:
	case MAP_UPDATE:
		element_show(t, &a, "value");
		return true;
	case MAP_DELETE:
		element_show(t, &a, NULL);
		return true;
	case MAP_NEXT:
		element_show(t, &a, "next_key");
		return true;
	case PROG_LOAD:
		buf_str(t->out, "{prog_type=");
		call_enum_show(t, WORDS_bpf_program, a.program.type, "%u");
		buf_printf(t->out, ", insn_cnt=%u, insns=%#llx, log_level=%u, prog_flags=%#x",
			   a.program.n, (ull)a.program.insns, a.program.log_level, a.program.flags);
		object_name_show(t, "prog_name", a.program.name);
		return true;
	case OBJ_INFO:
		buf_printf(t->out, "{info={bpf_fd=%u, info_len=%u, info=%#llx}}", a.about.fd,
			   a.about.size, (ull)a.about.info);
		return true;
	case TRACEPOINT_OPEN:
		buf_printf(t->out, "{raw_tracepoint={name=%#llx, prog_fd=%u}}",
			   (ull)a.tracepoint.name, a.tracepoint.fd);
		return true;
	case LINK_CREATE:
		buf_printf(t->out,
			   "{link_create={prog_fd=%u, target_fd=%u, attach_type=%u, flags=%#x}}",
			   a.link.fd, a.link.target, a.link.type, a.link.flags);
		return true;
	default:
		return false;
	}
}

bool call_report_show(const struct call_text *t)
{
	if (t->arg->kind == KIND_bpf_attr)
		return bpf_show(t);
	if (!t->call->returned || call_failed(t->call))
		return false;
	switch (t->arg->kind) {
	case KIND_statfs:
		return statfs_show(t);
	case KIND_sysinfo:
		return sysinfo_show(t);
	case KIND_rusage:
		/* of wait4, when a child has ended */
		return (t->call->desc->id != CALL_ID_wait4 || t->call->result) && rusage_show(t);
	case KIND_dents64:
		return entries_show(t);
	default:
		return false;
	}
}
