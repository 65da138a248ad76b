/* SPDX-License-Identifier: MIT */
/*
 * The scheduler's statistics in recordings: SCHEDSTAT_CPU and SCHEDSTAT_DOMAIN records, each a line
 * of /proc/schedstat, and the header feature CPU_DOMAIN_INFO, which names the domains.
 *
 * A record is { u64 jiffies, u32 cpu, u16 version, u16 domain, values }. Of a CPU's nine values the
 * first six are u32, the others u64; a domain's are u32. The feature is { u32 version, u32 domains
 * at most }, then for each CPU { u32 cpu, u32 domains }, followed by { u32 domain, string name
 * (from version 17 on), string mask, string list } for each domain. Source: tools/perf of
 * Linux 7.0.
 */
#ifndef DATA_SCHEDSTAT_H
#define DATA_SCHEDSTAT_H

#include "base/buf.h"
#include "data/recording.h"
#include "os/machine/schedstat.h"

/* What one number of a line counts. */
struct schedstat_field {
	const char *name; /* of a domain's: without the "busy" in front */
	const char *text; /* of a domain's: without " on cpu busy" at the end */
	bool jiffies;	  /* shown with the mean time between two of them */
	int share_of;	  /* shown as a share of this field, by its index; -1: not */
};
/* Of a CPU: SCHEDSTAT_CPU_VALUES of them. */
extern const struct schedstat_field schedstat_cpu_fields[];

/* How load was balanced at one time: while the CPU was busy, idle or about to be idle. */
struct schedstat_balance {
	const char *name, *text; /* "newidle", "newly idle" */
};
/* Which numbers a domain's line has: for each .balance all fields of .of_balance, then .others. */
struct schedstat_layout {
	const struct schedstat_balance *balance[3];
	const struct schedstat_field *of_balance;
	size_t n_balance;
	size_t failed, gained; /* indices in .of_balance; 0 is the count, 1 the balanced */
};
/* NULL: the version is not known. */
const struct schedstat_layout *schedstat_layout(uint32_t version);

/* The numbers of a domain that are not of balancing, in parts with titles. */
#define SCHEDSTAT_OTHERS 12
struct schedstat_part {
	const char *title;
	struct schedstat_field fields[3];
};
extern const struct schedstat_part schedstat_parts[SCHEDSTAT_OTHERS / 3];

/* True when the value with this index is 32 bits wide, and begins anew after 2^32. */
bool schedstat_is_narrow(const struct schedstat_row *row, size_t value);

/* Appends a row as a record. */
void schedstat_encode(const struct schedstat *s, const struct schedstat_row *row, struct buf *out);
/* Decodes a record of either type. 0, or -1: the version is not known, or the record is too short.
 */
int schedstat_decode(const struct record *r, bool swap, uint32_t *version, uint64_t *jiffies,
		     struct schedstat_row *row);

/* Appends the payload of CPU_DOMAIN_INFO. */
void schedstat_domains_encode(const struct schedstat *s, struct buf *out);
/* Decodes a recording's; version may be NULL. False when it has none, or a damaged one: *out then
 * has what came before the damage. The strings live as long as the recording. */
bool schedstat_domains_decode(const struct recording *rec, uint32_t *version,
			      struct schedstat_domains *out);

#endif
