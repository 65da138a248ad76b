// SPDX-License-Identifier: MIT
/*
 * mapfile.csv: a line for each CPU and file, "REGEX,VERSION,FILE,TYPE[,CORE TYPE,MODEL ID,CORE
 * ROLE]". The expression is about "VENDOR-FAMILY-MODEL[-STEPPING]"; FILE is a JSON file or a folder
 * of them.
 */
#include "event/vendor/json.h"

#include "base/buf.h"
#include "os/files/text.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAPFILE_MOST (4u << 20)
#define FIELDS	     8
#define REGEX_MOST   200 /* longer ones are no names of CPUs */

/* Cuts the line into its fields, in place; those that are missing are empty. */
static void mapfile_split(char *line, const char *fields[FIELDS])
{
	for (int i = 0; i < FIELDS; i++) {
		char *end = line + strcspn(line, ",\r");
		bool more = *end == ',';

		*end = 0;
		fields[i] = line;
		line = more ? end + 1 : end;
	}
}

/* Does the whole text match? */
static bool mapfile_matches(const regex_t *re, const char *text, size_t n)
{
	regmatch_t m = {.rm_so = 0, .rm_eo = (regoff_t)n};

	/* alternatives: the longest match decides (POSIX) */
	return !regexec(re, text, 1, &m, REG_STARTEND) && m.rm_so == 0 && (size_t)m.rm_eo == n;
}

/* True when a line is for the CPU. A pattern without a stepping matches all steppings. */
static bool mapfile_is_for(const char *pattern, const char *cpuid)
{
	const char *last = strrchr(cpuid, '-');
	bool fits;
	regex_t re;

	/* counted repetitions and back references can take for ever; no CPU's pattern needs them */
	if (!*pattern || strlen(pattern) > REGEX_MOST || strpbrk(pattern, "{\\") ||
	    regcomp(&re, pattern, REG_EXTENDED))
		return false;
	fits = mapfile_matches(&re, cpuid, strlen(cpuid)) ||
	       (last && mapfile_matches(&re, cpuid, (size_t)(last - cpuid)));
	regfree(&re);
	return fits;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static void mapfile_add_folder(struct vendor_files *out, const char *dir, bool metrics,
			       const char *pmu, struct arena *arena)
{
	struct names names = {0};

	text_names(dir, NULL, true, false, arena, &names);
	for (size_t i = 0; i < names.n; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, names.at[i]);
		size_t n = strlen(names.at[i]);

		if (n > 5 && !strcmp(names.at[i] + n - 5, ".json") && is_file(path))
			vec_add(out,
				(struct vendor_file){.path = path, .metrics = metrics, .pmu = pmu});
	}
	vec_release(&names);
}

/* Beside "metrics/X.json" there may be "metrics/perf/X_perf.json": the same metrics in perf's
 * language. */
static const char *better_metrics(const char *path, struct arena *arena)
{
	const char *name = strrchr(path, '/') + 1;
	size_t n = strlen(path), dir = (size_t)(name - path);
	const char *better;

	if (n < 5 || strcmp(path + n - 5, ".json"))
		return path;
	better = arena_printf(arena, "%.*sperf/%.*s_perf.json", (int)dir, path, (int)(n - dir - 5),
			      name);
	return is_file(better) ? better : path;
}

/* The metrics of a platform whose lines of the mapfile name none. */
static void add_platform_metrics(struct vendor_files *out, const char *events, struct arena *arena)
{
	const char *name = strstr(events, "/events/");
	size_t from = out->n;

	if (!name)
		return;
	mapfile_add_folder(out, arena_printf(arena, "%.*s/metrics", (int)(name - events), events),
			   true, NULL, arena);
	for (size_t i = from; i < out->n; i++)
		out->at[i].path = better_metrics(out->at[i].path, arena);
}

static void mapfile_add_line(struct vendor_files *out, const char *dir,
			     const char *const fields[FIELDS], struct arena *arena)
{
	const char *type = fields[3], *role = fields[6], *file = fields[2];
	const char *path = arena_printf(arena, "%s/%s", dir, file + (*file == '/'));
	struct vendor_file f = {.path = path, .metrics = !strcasecmp(type, "metrics")};

	/* no paths that leave the directory */
	if (!*file || strstr(file, ".."))
		return;
	f.pmu = !strcasecmp(role, "Atom")   ? "cpu_atom"
		: !strcasecmp(role, "Core") ? "cpu_core"
					    : NULL;
	if (is_folder(path)) {
		mapfile_add_folder(out, path, false, f.pmu, arena);
		out->std_dir = dir;
	} else if (!strcasecmp(type, "retire latency")) {
		return; /* of TPEBS: neither events nor metrics */
	} else {
		f.topic = f.metrics ? NULL : arena_strdup(arena, type);
		f.path = f.metrics ? better_metrics(path, arena) : path;
		vec_add(out, f);
	}
}

static int read_mapfile(const char *dir, const char *cpuid, struct arena *arena,
			struct vendor_files *out, struct err *err)
{
	AUTO_BUF text = {0};
	bool metrics = false;
	char *line, *end;
	size_t n;

	if (text_read(dir, "mapfile.csv", MAPFILE_MOST, &text))
		return err_sys(err, errno, "cannot read '%s/mapfile.csv'", dir);
	(void)buf_text(&text);
	for (line = text.at; *line; line = end) {
		const char *fields[FIELDS];

		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = 0;
		mapfile_split(line, fields);
		if (line[0] != '#' && mapfile_is_for(fields[0], cpuid))
			mapfile_add_line(out, dir, fields, arena);
	}
	if (!out->n) {
		err_set(err, ERR_UNSUPPORTED, "'%s/mapfile.csv' has no line for the CPU '%s'", dir,
			cpuid);
		return err_hint(err, "PERF_CPUID names another CPU: %s",
				"PERF_CPUID=GenuineIntel-6-55-4 perf ...");
	}
	n = out->n;
	for (size_t i = 0; i < n; i++)
		metrics |= out->at[i].metrics;
	if (!metrics && !out->std_dir)
		add_platform_metrics(out, out->at[0].path, arena);
	return 0;
}

int vendor_list_files(const char *dir, const char *cpuid, struct arena *arena,
		      struct vendor_files *out, struct err *err)
{
	static const char *const arches[] = {"x86",   "arm64", "powerpc", "s390",
					     "riscv", "arm",   "nds32"};

	if (!is_folder(dir)) {
		err_set(err, ERR_INPUT, "there is no directory '%s' with descriptions of events",
			dir);
		return err_hint(err, "--events-dir takes a copy of github.com/intel/perfmon, or a "
				     "folder of JSON files");
	}
	if (is_file(arena_printf(arena, "%s/mapfile.csv", dir)))
		return read_mapfile(dir, cpuid, arena, out, err);
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++) {
		const char *below = arena_printf(arena, "%s/%s", dir, arches[i]);

		/* only one of the folders has the CPU */
		if (is_file(arena_printf(arena, "%s/mapfile.csv", below)) &&
		    !read_mapfile(below, cpuid, arena, out, err))
			return 0;
	}
	mapfile_add_folder(out, dir, false, NULL, arena);
	mapfile_add_folder(out, arena_printf(arena, "%s/events", dir), false, NULL, arena);
	mapfile_add_folder(out, arena_printf(arena, "%s/metrics", dir), true, NULL, arena);
	if (out->n)
		return 0;
	if (err && err->code)
		return -1; /* the error of a mapfile */
	return err_set(err, ERR_INPUT, "'%s' has neither a mapfile.csv nor JSON files", dir);
}
