/* SPDX-License-Identifier: MIT */
/*
 * A recording: what is true of the whole of it. Its records are pulled from a source
 * (data/source.h).
 *
 *   AUTO(recording) *rec = recording_open("perf.data", &opts, &err);
 *   AUTO(source) *src = source_open(rec, &(struct source_options){...}, &err);
 *
 * A file, a pipe ("-" or pipe format in a regular file) and a directory open the same way. In a
 * pipe, events, features and formats come as records while it is read: what is asked of the
 * recording then is what has come so far. A file can be opened as a source many times; a pipe once.
 *
 * The recording owns its measurement (events, formats, losses) and features. A source must not
 * outlive its recording.
 */
#ifndef DATA_RECORDING_H
#define DATA_RECORDING_H

#include "base/err.h"
#include "data/measurement.h"
#include "data/source.h"

#include <string.h>

enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID,
	FEATURE_HOSTNAME,
	FEATURE_OSRELEASE,
	FEATURE_VERSION,
	FEATURE_ARCH,
	FEATURE_NRCPUS,
	FEATURE_CPUDESC,
	FEATURE_CPUID,
	FEATURE_TOTAL_MEM,
	FEATURE_CMDLINE,
	FEATURE_EVENT_DESC,
	FEATURE_CPU_TOPOLOGY,
	FEATURE_NUMA_TOPOLOGY,
	FEATURE_BRANCH_STACK,
	FEATURE_PMU_MAPPINGS,
	FEATURE_GROUP_DESC,
	FEATURE_AUXTRACE,
	FEATURE_STAT,
	FEATURE_CACHE,
	FEATURE_SAMPLE_TIME,
	FEATURE_MEM_TOPOLOGY,
	FEATURE_CLOCKID,
	FEATURE_DIR_FORMAT,
	FEATURE_BPF_PROG_INFO,
	FEATURE_BPF_BTF,
	FEATURE_COMPRESSED,
	FEATURE_CPU_PMU_CAPS,
	FEATURE_CLOCK_DATA,
	FEATURE_HYBRID_TOPOLOGY,
	FEATURE_PMU_CAPS,
	FEATURE_CPU_DOMAIN_INFO,
	FEATURE_E_MACHINE,
	FEATURE_CLN_SIZE,
	/* Extensions of the format: they lie behind everything that the header refers to, so that
	 * other readers don't see them. */
	FEATURE_EXTENSION = 240,
	FEATURE_CHAINS =
		FEATURE_EXTENSION, /* the recorder unwound the user part of call chains */
	FEATURE_TIME_INDEX = 242,  /* the index of times: extension/time_index.h */
	FEATURE_CONTAINED = 243,   /* answers of files: symbol/contained/contained.h */
	FEATURE_MAX = 256
};

/* The last word of an extension, with its number in the upper half: "PERF". */
#define FEATURE_EXTENSION_MAGIC 0x46524550ull

struct recording_options {
	bool force;   /* read a file that another user owns (-f) */
	bool no_mmap; /* never map the file: read it (tests) */
	/* The reader calls this after each 256 KiB, in the thread that reads; may be NULL. share:
	 * the part of the bytes that was read, 0 to 1; negative for a pipe, whose size is unknown;
	 * 1 at the end of each walk. bytes: read so far. */
	void (*progress)(void *ctx, double share, uint64_t bytes);
	void *progress_ctx;
};

struct build_id_entry {
	int32_t pid;
	uint16_t misc;
	uint8_t id[20], size;
	const char *filename;
};

struct recording {
	struct measurement m;
	bool is_pipe, is_directory;
	bool is_v1;   /* "PERFFILE" */
	uint32_t attr_size;   /* of an attribute in the file */
	const char *path;     /* as given */
	struct recording_options how; /* the options it was opened with */
	/* May be set while progress is reported: walks then end as at the end of the file. */
	bool stop;
	uint64_t file_size;
	int64_t mtime;	  /* of the file, seconds since the epoch */
	int64_t mtime_ns; /* the same in ns; 0: of a pipe */
	uint64_t data_offset, data_size; /* of a file; data_size as the header says */
	uint64_t file_data_size; /* data bytes in the file: up to its end when data_size is 0 */
	uint64_t feature_offset;
	uint64_t feature_bits[4];	 /* which features there are */
	/* features, when there: NULL, 0 or empty when not */
	const char *hostname, *version, *cpudesc, *cpuid;
	uint32_t nr_cpus_online, nr_cpus_avail;
	uint64_t total_mem_kb;
	VEC(const char *) cmdline;
	VEC(struct build_id_entry) build_ids;
	uint64_t first_sample_time, last_sample_time; /* SAMPLE_TIME */
	uint64_t chain_ends[UNWIND_ENDS]; /* CHAINS: the chains that the recorder unwound, by their
					   * end (enum unwind_end) */
	uint32_t compress_mmap_len, compress_level, compress_ratio;
	VEC(struct pmu_mapping { uint32_t type; const char *name; }) pmus;
	struct arena arena; /* for the strings above */
	struct feature_store *features; /* the raw payload of every feature, see feature.h */
	struct recording_file *file;	/* private to data/ */
};

struct recording *recording_open(const char *path, const struct recording_options *opts,
				 struct err *err);
/* For tests and fuzzing: n bytes that stay with the caller, a file or pipe format. */
struct recording *recording_open_memory(const void *p, size_t n, struct err *err);
void recording_free(struct recording *rec);
DEFINE_AUTO(recording, recording_free)

bool recording_has(const struct recording *rec, enum feature f);

/* Reports progress of a pass that pulls no records: done of all units. */
void recording_progress(const struct recording *rec, uint64_t done, uint64_t all);
/* True when these bytes live as long as the recording. */
bool recording_bytes_stay(const struct recording *rec, const uint8_t *p);
/* For such bytes: drops their pages from memory until they are read again. */
void recording_passed(const struct recording *rec, const uint8_t *p, size_t n);
void recording_passed_all(const struct recording *rec);

#endif
