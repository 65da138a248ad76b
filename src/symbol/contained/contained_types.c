// SPDX-License-Identifier: MIT
#include "symbol/contained/contained_types.h"

#include "symbol/contained/contained_private.h"

/* -- noting -- */

bool contained_types_noted(const struct dso_set *set)
{
	return set->private_data->noted != NULL;
}

uint32_t contained_note_type(struct dso_set *set, const struct contained_type *type)
{
	struct noted_set *noted = set->private_data->noted;
	struct noted_type t = {.name = contained_text(noted, type->name, strlen(type->name)),
			       .size = type->size,
			       .first = (uint32_t)noted->members.n,
			       .n = type->n_members};

	for (uint32_t i = 0; i < type->n_members; i++) {
		const struct contained_member *m = &type->members[i];

		vec_add(&noted->members,
			((struct noted_member){contained_text(noted, m->type, strlen(m->type)),
					       contained_text(noted, m->name, strlen(m->name)),
					       m->depth, m->offset, m->size}));
	}
	vec_add(&noted->types, t);
	return (uint32_t)noted->types.n - 1;
}

void contained_note_access(struct dso *dso, const struct contained_access *access)
{
	struct noted_set *noted = dso->set->private_data->noted;
	const uint32_t mnemonic =
		access->mnemonic ? contained_text(noted, access->mnemonic, strlen(access->mnemonic))
				 : 0;

	vec_add(&contained_noted(dso)->accesses,
		((struct noted_access){access->rva, access->offset, access->type, mnemonic,
				       access->miss, access->flags}));
}

/* -- answering -- */

static uint64_t access_key(uint64_t rva, bool variable)
{
	return hash_bytes(&rva, sizeof(rva), variable);
}

void contained_link_accesses(struct contained_dso *d)
{
	for (size_t i = 0; i < d->n_accesses; i++)
		*idmap_put(&d->by_access, access_key(d->accesses[i].rva,
						     d->accesses[i].flags & CONTAINED_VARIABLE)) =
			(uint32_t)i;
}

bool contained_access_find(struct dso *dso, uint64_t rva, bool variable,
			   struct contained_access *out)
{
	const struct contained_dso *d;
	uint32_t at;

	dso_load(dso);
	d = contained_of(dso);
	at = d ? idmap_find(&d->by_access, access_key(rva, variable)) : HASH_NONE;
	if (at == HASH_NONE)
		return false;
	*out = d->accesses[at];
	return true;
}

const struct contained_type *contained_type_at(const struct dso_set *set, uint32_t type)
{
	return &set->private_data->contained->types[type];
}
