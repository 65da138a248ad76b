// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include "os/library.h"

struct version_opts {
	bool build_options;
};

/* What may be built in, under the names scripts look for. A library's name is on when what perf is
 * known to use it for works: by that library, by code of our own (unwinding, jitdump's build-ids), or
 * by one that is loaded when it is asked for. */
enum built { OFF, ON, LOADED };

#ifdef __GLIBC__
#define WITH_GLIBC ON
#else
#define WITH_GLIBC OFF
#endif
#ifdef HAVE_BPF
#define WITH_BPF ON
#else
#define WITH_BPF OFF
#endif

static const struct {
	const char *name, *macro;
	enum built built;
} features[] = {
	{"dwarf", "HAVE_DWARF_SUPPORT", ON},
	{"dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", OFF},
	{"glibc", "HAVE_GLIBC_SUPPORT", WITH_GLIBC},
	{"syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", OFF},
	{"libbfd", "HAVE_LIBBFD_SUPPORT", ON},
	{"debuginfod", "HAVE_DEBUGINFOD_SUPPORT", LOADED},
	{"libelf", "HAVE_LIBELF_SUPPORT", ON},
	{"libnuma", "HAVE_LIBNUMA_SUPPORT", OFF},
	{"numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", OFF},
	{"libperl", "HAVE_LIBPERL_SUPPORT", OFF},
	{"libpython", "HAVE_LIBPYTHON_SUPPORT", OFF},
	{"libslang", "HAVE_SLANG_SUPPORT", OFF},
	{"libcrypto", "HAVE_LIBCRYPTO_SUPPORT", ON},
	{"libunwind", "HAVE_LIBUNWIND_SUPPORT", ON},
	{"libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", ON},
	{"zlib", "HAVE_ZLIB_SUPPORT", ON},
	{"lzma", "HAVE_LZMA_SUPPORT", ON},
	{"get_cpuid", "HAVE_AUXTRACE_SUPPORT", OFF},
	{"bpf", "HAVE_LIBBPF_SUPPORT", WITH_BPF},
	{"aio", "HAVE_AIO_SUPPORT", OFF},
	{"zstd", "HAVE_ZSTD_SUPPORT", ON},
	{"libpfm4", "HAVE_LIBPFM", LOADED},
	{"libtraceevent", "HAVE_LIBTRACEEVENT", ON},
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
		buf_printf(out, ": [ %s ]  # %s\n",
			   features[i].built == OFF || (features[i].built == LOADED && !library_possible())
				   ? "OFF"
				   : "on ",
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
