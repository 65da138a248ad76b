// SPDX-License-Identifier: MIT
/*
 * Compiles the pieces of a print format: finds once whether a number is plain digits, where its
 * bytes lie, and its names. Formatting a sample then costs little more than its digits.
 */
#include "event/print/print.h"

/* So many names or more are looked up in a hash table. */
#define NAMES_INDEXED 8

static void index_names(struct print_names *names)
{
	if (names->n < NAMES_INDEXED || names->by_value.slots)
		return;
	for (size_t i = 0; i < names->n; i++) {
		uint32_t *at = idmap_put(&names->by_value, names->at[i].value);

		if (*at == HASH_NONE)
			*at = (uint32_t)i;
	}
}

static void literal(struct print_text *t, const char *text)
{
	t->literal = text;
	t->literal_len = (uint32_t)strlen(text);
}

static const struct print_text *print_compile_text_of(const struct print_node *n,
						      struct arena *arena)
{
	struct print_text *t = arena_alloc(arena, sizeof(*t));

	t->node = n;
	switch (n->kind) {
	case PRINT_NUMBER:
	case PRINT_ATOM:
		t->kind = TEXT_LITERAL;
		literal(t, n->text);
		break;
	case PRINT_FIELD:
		t->kind = n->field ? TEXT_FIELD : TEXT_NOTHING;
		t->value = print_value_of(n, arena);
		break;
	case PRINT_STRING:
		t->kind = TEXT_DYNAMIC;
		break;
	case PRINT_FLAGS:
	case PRINT_SYMBOLIC:
		t->kind = n->kind == PRINT_FLAGS ? TEXT_FLAGS : TEXT_SYMBOLIC;
		t->value = print_value_of(n->a, arena);
		t->names = n->names;
		if (n->kind == PRINT_FLAGS)
			literal(t, n->text);
		else
			index_names(n->names);
		break;
	case PRINT_HEX:
	case PRINT_HEX_STR:
	case PRINT_ARRAY:
		t->kind = n->kind == PRINT_ARRAY ? TEXT_ARRAY : TEXT_HEX;
		t->node = n->a;
		t->count = print_value_of(n->b, arena);
		if (n->kind == PRINT_ARRAY)
			t->each = print_value_of(n->c, arena);
		literal(t, n->kind == PRINT_HEX ? " " : "");
		break;
	case PRINT_BITMASK:
		t->kind = TEXT_BITMASK;
		break;
	case PRINT_OPERATOR:
		if (n->op[0] != '?')
			break;
		t->kind = TEXT_CHOICE;
		t->value = print_value_of(n->a, arena);
		t->yes = print_compile_text_of(n->b->a, arena);
		t->no = print_compile_text_of(n->b->b, arena);
		break;
	default:
		break;
	}
	return t;
}

/* How many high bits the length letters cut off. perf 6.1 shows only the lower half of a size_t. */
static uint8_t bits_cut(const struct print_piece *piece)
{
	if (piece->size)
		return 32;
	return piece->longs == -2 ? 56 : piece->longs == -1 ? 48 : piece->longs == 0 ? 32 : 0;
}

static enum print_show number_shown(const struct print_piece *piece)
{
	if (!piece->plain)
		return SHOW_OTHER;
	switch (piece->conversion) {
	case 'd':
	case 'i':
		return piece->size ? SHOW_UNSIGNED : SHOW_SIGNED;
	case 'u':
		return SHOW_UNSIGNED;
	case 'x':
		return SHOW_HEX;
	default:
		return SHOW_OTHER;
	}
}

void print_compile(struct print *p, struct arena *arena)
{
	for (size_t i = 0; i < p->pieces.n; i++) {
		struct print_piece *piece = &p->pieces.at[i];

		if (piece->star)
			piece->star_value = print_value_of(piece->star_arg, arena);
		if (!piece->conversion) {
			piece->show = SHOW_END;
		} else if (piece->conversion == 's') {
			piece->show = SHOW_STRING;
			piece->string = print_compile_text_of(piece->arg, arena);
		} else {
			piece->show = number_shown(piece);
			piece->cut = bits_cut(piece);
			piece->value = print_value_of(piece->arg, arena);
		}
	}
}
