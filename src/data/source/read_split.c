// SPDX-License-Identifier: MIT
#include "data/source/read_split.h"

bool read_split_next(struct read_split *s, const struct event_set *events, const struct record *r,
		     uint64_t *i, struct event **ev, uint64_t *period)
{
	const struct sample_read *read = &r->sample.read;

	if (!read_split_needed(r->event)) {
		*ev = r->event;
		*period = r->sample.period;
		return !(*i)++ && r->event;
	}
	while (*i < read->nr) {
		const uint64_t *v = read->values + (*i)++ * read->stride;
		/* values without an id belong to the sample's own id */
		uint64_t id = read->format & READ_ID ? v[1] : r->sample.id;
		uint32_t *at;

		*ev = event_set_find_id(events, id);
		if (!*ev)
			continue;
		at = idmap_put(&s->at, id);
		if (*at == HASH_NONE) {
			*at = (uint32_t)s->values.n;
			vec_add(&s->values, 0);
		}
		*period = v[0] - s->values.at[*at];
		s->values.at[*at] = v[0];
		if (*period)
			return true;
	}
	return false;
}

void read_split_release(struct read_split *s)
{
	idmap_release(&s->at);
	vec_release(&s->values);
}
