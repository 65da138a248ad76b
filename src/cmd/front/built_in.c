// SPDX-License-Identifier: MIT
#include "cmd/front/built_in.h"

#include "base/buf.h"
#include "base/mem.h"
#include "os/library.h"

#include <strings.h>

#ifdef __GLIBC__
#define WITH_GLIBC BUILT_ON
#else
#define WITH_GLIBC BUILT_OFF
#endif
#ifdef HAVE_BPF
#define WITH_BPF BUILT_ON
#else
#define WITH_BPF BUILT_OFF
#endif

const struct built_in built_in_rows[] = {
	{"dwarf", "HAVE_DWARF_SUPPORT", BUILT_ON, true},
	{"dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", BUILT_ON, true},
	{"dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", BUILT_ON, false},
	{"glibc", "HAVE_GLIBC_SUPPORT", WITH_GLIBC, true},
	{"syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", BUILT_ON, true},
	{"auxtrace", "HAVE_AUXTRACE_SUPPORT", BUILT_OFF, false},
	{"libbfd", "HAVE_LIBBFD_SUPPORT", BUILT_ON, true},
	{"libbpf-strings", "HAVE_LIBBPF_STRINGS_SUPPORT", BUILT_OFF, false},
	{"libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", BUILT_OFF, false},
	{"debuginfod", "HAVE_DEBUGINFOD_SUPPORT", BUILT_LOADED, true},
	{"libdw", "HAVE_LIBDW_SUPPORT", BUILT_ON, false},
	{"libelf", "HAVE_LIBELF_SUPPORT", BUILT_ON, true},
	{"libLLVM", "HAVE_LIBLLVM_SUPPORT", BUILT_LOADED, false},
	{"libnuma", "HAVE_LIBNUMA_SUPPORT", BUILT_ON, true},
	{"numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", BUILT_ON, true},
	{"libopencsd", "HAVE_CSTRACE_SUPPORT", BUILT_OFF, false},
	{"libperl", "HAVE_LIBPERL_SUPPORT", BUILT_OFF, true},
	{"libpython", "HAVE_LIBPYTHON_SUPPORT", BUILT_OFF, true},
	{"libslang", "HAVE_SLANG_SUPPORT", BUILT_ON, true},
	{"rust", "HAVE_RUST_SUPPORT", BUILT_OFF, false},
	{"libcrypto", "HAVE_LIBCRYPTO_SUPPORT", BUILT_ON, true},
	{"libunwind", "HAVE_LIBUNWIND_SUPPORT", BUILT_ON, true},
	{"libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", BUILT_ON, true},
	{"zlib", "HAVE_ZLIB_SUPPORT", BUILT_ON, true},
	{"lzma", "HAVE_LZMA_SUPPORT", BUILT_ON, true},
	{"get_cpuid", "HAVE_AUXTRACE_SUPPORT", BUILT_OFF, true},
	{"bpf", "HAVE_LIBBPF_SUPPORT", WITH_BPF, true},
	{"bpf_skeletons", "HAVE_BPF_SKEL", WITH_BPF, false},
	{"aio", "HAVE_AIO_SUPPORT", BUILT_OFF, true},
	{"zstd", "HAVE_ZSTD_SUPPORT", BUILT_ON, true},
	{"libpfm4", "HAVE_LIBPFM", BUILT_LOADED, true},
	{"libtraceevent", "HAVE_LIBTRACEEVENT", BUILT_ON, true},
};
const size_t built_in_count = ARRAY_SIZE(built_in_rows);

const struct built_in *built_in_find(const char *name)
{
	for (size_t i = 0; i < built_in_count; i++)
		if (!strcasecmp(name, built_in_rows[i].name) ||
		    !strcasecmp(name, built_in_rows[i].macro))
			return &built_in_rows[i];
	return NULL;
}

bool built_in_is_on(const struct built_in *b)
{
	return b->state == BUILT_ON || (b->state == BUILT_LOADED && library_possible());
}

void built_in_show(const struct built_in *b, struct buf *out)
{
	buf_right(out, b->name, 22);
	buf_printf(out, ": [ %s ]  # %s\n", built_in_is_on(b) ? "on " : "OFF", b->macro);
}
