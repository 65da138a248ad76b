/* SPDX-License-Identifier: MIT */
/*
 * Header features: what the recorder says of the machine and of the recording.
 *
 * Every payload is kept as bytes. Those that other modules need are also decoded into struct
 * recording. Views decode the others themselves, with feature_cursor.
 */
#ifndef DATA_FEATURE_H
#define DATA_FEATURE_H

#include "base/cursor.h"
#include "data/recording.h"

/* "HOSTNAME", ... as perf 6.1 spells it; NULL for unknown bits. */
const char *feature_name(unsigned int bit);

/* The payload as it is in the file (in the file's byte order), NULL when absent or unreadable. The
 * bytes live as long as the recording. */
const uint8_t *feature_payload(const struct recording *rec, unsigned int bit, size_t *n);
/* A cursor over the payload; bad when it is absent. */
struct cursor feature_cursor(const struct recording *rec, unsigned int bit);
/* A string of a feature: u32 length, then that many bytes, terminated within. NULL when damaged. */
const char *feature_string(struct cursor *c);
/* A copy of an event's or group's name, with control characters made safe. It lives as long as the
 * recording. */
const char *event_name_kept(struct recording *rec, const char *name);

/* True when this program knows the feature. Unknown features are kept but not decoded. */
bool feature_known(unsigned int bit);
/* Takes a feature's payload, from the header or a HEADER_FEATURE record, into the recording.
 * offset: its place in the file, for the losses. */
void feature_take(struct recording *rec, unsigned int bit, const uint8_t *p, size_t n,
		  uint64_t offset);
void feature_store_free(struct feature_store *store);

/* Adds a build-id record ({ header, pid, id, name }) to the recording's list. */
void feature_add_build_id(struct recording *rec, const struct record *r);

#endif
