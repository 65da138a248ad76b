// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

struct version_opts {
	bool build_options;
};

/* What may be built in, under the names scripts look for. A library's name is on when what perf is
 * known to use it for is there, be it from that library or our own. */
static const struct {
	const char *name, *macro;
	bool on;
} features[] = {
	{"dwarf", "HAVE_DWARF_SUPPORT", false},
	{"dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", false},
	{"glibc", "HAVE_GLIBC_SUPPORT",
#ifdef __GLIBC__
	 true
#else
	 false
#endif
	},
	{"syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", false},
	{"libbfd", "HAVE_LIBBFD_SUPPORT", false},
	{"debuginfod", "HAVE_DEBUGINFOD_SUPPORT", false},
	{"libelf", "HAVE_LIBELF_SUPPORT", true},
	{"libnuma", "HAVE_LIBNUMA_SUPPORT", false},
	{"numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", false},
	{"libperl", "HAVE_LIBPERL_SUPPORT", false},
	{"libpython", "HAVE_LIBPYTHON_SUPPORT", false},
	{"libslang", "HAVE_SLANG_SUPPORT", false},
	{"libcrypto", "HAVE_LIBCRYPTO_SUPPORT", false},
	{"libunwind", "HAVE_LIBUNWIND_SUPPORT", false},
	{"libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", false},
	{"zlib", "HAVE_ZLIB_SUPPORT", true},
	{"lzma", "HAVE_LZMA_SUPPORT", true},
	{"get_cpuid", "HAVE_AUXTRACE_SUPPORT", false},
	{"bpf", "HAVE_LIBBPF_SUPPORT",
#ifdef HAVE_BPF
	 true
#else
	 false
#endif
	},
	{"aio", "HAVE_AIO_SUPPORT", false},
	{"zstd", "HAVE_ZSTD_SUPPORT", true},
	{"libpfm4", "HAVE_LIBPFM", false},
	{"libtraceevent", "HAVE_LIBTRACEEVENT", true},
};

static const char *const usage[] = {"version [<options>]", NULL};

static const struct opt opts[] = {
	{OPT_BOOL, 0, "build-options", offsetof(struct version_opts, build_options), NULL,
	 "display the build options"},
	{OPT_END},
};

static const struct opt_group groups[] = {{opts, 0}, {0}};

static int run(struct env *env, void *place, int argc, char **argv, struct err *err)
{
	const struct version_opts *o = place;
	struct buf *out = &env->out->buf;

	(void)argc;
	(void)argv;
	(void)err;
	buf_str(out, "perf version " PERF_VERSION "\n");
	for (size_t i = 0; o->build_options && i < ARRAY_SIZE(features); i++) {
		buf_right(out, features[i].name, 22);
		buf_printf(out, ": [ %s ]  # %s\n", features[i].on ? "on " : "OFF",
			   features[i].macro);
	}
	return 0;
}

const struct cmd cmd_version = {
	.name = "version",
	.summary = "display the version of perf binary",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct version_opts),
	.run = run,
};
