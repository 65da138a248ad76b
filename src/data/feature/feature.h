/* SPDX-License-Identifier: MIT */
/*
 * Header features: what the recorder says of the machine and of the recording.
 *
 * Every payload is kept as bytes; those that others ask for are read into struct recording as well.
 * Views read the rest with a cursor from feature_payload.
 */
#ifndef DATA_FEATURE_H
#define DATA_FEATURE_H

#include "base/cursor.h"
#include "data/recording.h"

/* "HOSTNAME", ... as perf 6.1 spells it; NULL for unknown bits. */
const char *feature_name(unsigned int bit);

/* The payload as it stands in the file (order not undone), NULL when absent or unreadable. The
 * bytes live as long as the recording. */
const uint8_t *feature_payload(const struct recording *rec, unsigned int bit, size_t *n);
/* The same as a cursor; bad when absent. */
struct cursor feature_cursor(const struct recording *rec, unsigned int bit);
/* A string of a feature: u32 length, then that many bytes, terminated within. NULL when damaged. */
const char *feature_string(struct cursor *c);
/* A copy of an event's name, or a group's, that can be shown anywhere. */
const char *event_name_kept(struct recording *rec, const char *name);

/* Does this program know what the feature means? Others are kept, not looked into. */
bool feature_known(unsigned int bit);
/* Takes one feature's payload into the recording: from the header or a HEADER_FEATURE record. */
void feature_take(struct recording *rec, unsigned int bit, const uint8_t *p, size_t n,
		  uint64_t offset);
void feature_store_free(struct feature_store *store);

/* One build-id record ({ header, pid, id, name }) into the recording's list. */
void feature_add_build_id(struct recording *rec, const struct record *r);

#endif
