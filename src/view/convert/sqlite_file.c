// SPDX-License-Identifier: MIT
#include "view/convert/sqlite_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PAGE	    8192u
#define FILE_HEAD   100u /* of the first page */
#define LEAF	    0x0d
#define LEAF_HEAD   8u
#define INNER	    0x05
#define INNER_HEAD  12u
#define POINTER	    2u	/* a cell's offset, after the page's head */
#define INNER_CELL  13u /* a page's number, and a row's id of at most 9 bytes */
#define INNER_MAX   ((PAGE - INNER_HEAD) / (INNER_CELL + POINTER)) /* children of an inner page */
#define VARINT_MAX  9u
#define WRITE_BYTES (1u << 18)
#define PAGES_MAX   0xfffffffeu
/* Readers lock the byte at 1 GiB. The page that has it is left out of all trees. */
#define LOCK_PAGE ((1u << 30) / PAGE + 1)
/* A row with more bytes than PAYLOAD_MAX keeps the first of them in its leaf. */
#define PAYLOAD_MAX (PAGE - 35)
#define PAYLOAD_MIN ((PAGE - 12) * 32 / 255 - 23)

static void big_endian(uint8_t *p, uint64_t v, size_t size)
{
	while (size--) {
		p[size] = (uint8_t)v;
		v >>= 8;
	}
}

/* Writes v in 1 to 9 bytes, 7 bits each, the highest first; the ninth byte has 8. */
static size_t varint(uint8_t *p, uint64_t v)
{
	size_t n = 1;

	if (v >> 56) {
		p[8] = (uint8_t)v;
		v >>= 8;
		for (n = 8; n--; v >>= 7)
			p[n] = (uint8_t)(0x80 | v);
		return VARINT_MAX;
	}
	for (uint64_t rest = v >> 7; rest; rest >>= 7)
		n++;
	for (size_t i = n; i--; v >>= 7)
		p[i] = (uint8_t)((i + 1 < n ? 0x80 : 0) | (v & 0x7f));
	return n;
}

/* -- pages -- */

static void sqlite_write(struct sqlite_file *f)
{
	for (size_t done = 0; !f->failed && done < f->out.n;) {
		const ssize_t n = pwrite(f->fd, f->out.at + done, f->out.n - done,
					 (off_t)(f->written + done));

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			f->failed = errno;
	}
	f->written += f->out.n;
	buf_clear(&f->out);
}

/* The number of the page that is appended after page n; n is 0 for the first one to come. */
static uint32_t sqlite_page_after(uint32_t n)
{
	n = MAX(n, 1u) + 1;
	return n == LOCK_PAGE ? n + 1 : n;
}

/* Appends a page to the file, and returns its number. */
static uint32_t sqlite_append_page(struct sqlite_file *f, const uint8_t *page)
{
	const uint32_t number = sqlite_page_after(f->pages);

	/* what is left out: the first page, the lock's */
	for (; f->pages + 1 < number; f->pages++)
		buf_fill(&f->out, '\0', PAGE);
	buf_add(&f->out, page, PAGE);
	f->pages = number;
	if (f->out.n >= WRITE_BYTES)
		sqlite_write(f);
	if (number >= PAGES_MAX && !f->failed)
		f->failed = EFBIG;
	return number;
}

/* Writes the head of a page whose cells begin at free. */
static void sqlite_page_head(uint8_t *page, uint8_t kind, uint32_t cells, uint32_t free)
{
	page[0] = kind;
	big_endian(page + 3, cells, 2);
	big_endian(page + 5, free, 2);
}

static void sqlite_end_leaf(struct sqlite_file *f, struct sqlite_table *t)
{
	sqlite_page_head(t->page, LEAF, t->cells, t->free);
	vec_add(&t->pages, ((struct sqlite_page){sqlite_append_page(f, t->page), t->last}));
	memset(t->page, 0, PAGE);
	t->cells = 0;
	t->free = PAGE;
}

/* Writes a page over n others, at least 2. */
static struct sqlite_page sqlite_add_inner(struct sqlite_file *f, const struct sqlite_page *beneath,
					   size_t n)
{
	uint8_t page[PAGE] = {0}, cell[INNER_CELL];
	uint32_t free = PAGE;

	for (size_t i = 0; i + 1 < n; i++) {
		const uint32_t size = 4 + (uint32_t)varint(cell + 4, (uint64_t)beneath[i].last);

		big_endian(cell, beneath[i].number, 4);
		free -= size;
		memcpy(page + free, cell, size);
		big_endian(page + INNER_HEAD + i * POINTER, free, POINTER);
	}
	sqlite_page_head(page, INNER, (uint32_t)n - 1, free);
	big_endian(page + 8, beneath[n - 1].number, 4);
	return (struct sqlite_page){sqlite_append_page(f, page), beneath[n - 1].last};
}

/* Writes the pages over a table's leaves, level by level, and returns the root's number. */
static uint32_t sqlite_end_table(struct sqlite_file *f, struct sqlite_table *t)
{
	if (t->cells || !t->pages.n)
		sqlite_end_leaf(f, t);
	while (t->pages.n > 1) {
		/* as many children for each, so that none has a single one */
		const size_t n = t->pages.n, parts = (n + INNER_MAX - 1) / INNER_MAX;

		for (size_t i = 0; i < parts; i++) {
			const size_t from = n * i / parts, to = n * (i + 1) / parts;

			t->pages.at[i] = sqlite_add_inner(f, t->pages.at + from, to - from);
		}
		t->pages.n = parts;
	}
	return t->pages.at[0].number;
}

/* -- rows -- */

/* The type of a number's bytes; 8 and 9 stand for the numbers 0 and 1, which have none. */
static uint8_t sqlite_number_type(int64_t number)
{
	const uint64_t bits = (uint64_t)(number < 0 ? ~number : number);

	if (!(number & ~1ll))
		return (uint8_t)(8 + number);
	return bits >> 47   ? 6
	       : bits >> 31 ? 5
	       : bits >> 23 ? 4
	       : bits >> 15 ? 3
	       : bits >> 7  ? 2
			    : 1;
}

static void sqlite_put_number(struct sqlite_file *f, int64_t number)
{
	static const uint8_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 0, 0, 0};
	const uint8_t type = sqlite_number_type(number), size = sizes[type];

	buf_char(&f->head, (char)type);
	buf_reserve(&f->body, 8);
	big_endian((uint8_t *)f->body.at + f->body.n, (uint64_t)number, size);
	f->body.n += size;
}

static void sqlite_put_text(struct sqlite_file *f, const char *text)
{
	const size_t n = strlen(text);
	uint8_t type[VARINT_MAX];

	buf_add(&f->head, type, varint(type, 2 * (uint64_t)n + 13));
	buf_add(&f->body, text, n);
}

/* Makes the row's record in f->body: the size of its head, the types of values, the values. A
 * column that is the row's id is NULL in there. */
static void sqlite_make_record(struct sqlite_file *f, bool id, const struct sqlite_value *values,
			       size_t n)
{
	uint8_t size[VARINT_MAX];
	size_t own = 1;

	buf_clear(&f->head);
	buf_clear(&f->body);
	if (id)
		buf_char(&f->head, '\0');
	for (size_t i = 0; i < n; i++) {
		if (values[i].text)
			sqlite_put_text(f, values[i].text);
		else
			sqlite_put_number(f, values[i].number);
	}
	while (varint(size, f->head.n + own) > own) /* the size counts its own bytes */
		own++;
	buf_reserve(&f->body, own + f->head.n);
	memmove(f->body.at + own + f->head.n, f->body.at, f->body.n);
	memcpy(f->body.at, size, own);
	memcpy(f->body.at + own, f->head.at, f->head.n);
	f->body.n += own + f->head.n;
}

/* Writes what does not fit into the leaf, as a list of pages; returns the number of the first. */
static uint32_t sqlite_add_rest(struct sqlite_file *f, size_t from)
{
	const uint32_t part = PAGE - 4;
	uint8_t page[PAGE];
	uint32_t first = 0;

	while (from < f->body.n) {
		const size_t n = MIN(part, f->body.n - from);
		const uint32_t number = sqlite_page_after(f->pages);

		memset(page, 0, sizeof(page));
		memcpy(page + 4, f->body.at + from, n);
		from += n;
		big_endian(page, from < f->body.n ? sqlite_page_after(number) : 0, 4);
		sqlite_append_page(f, page);
		first = first ? first : number;
	}
	return first;
}

/* Adds the row whose record is made to a table. */
static void sqlite_add_record(struct sqlite_file *f, struct sqlite_table *t, int64_t id)
{
	uint8_t cell[2 * VARINT_MAX];
	size_t here, size, head;
	uint8_t *p;

	here = f->body.n;
	if (here > PAYLOAD_MAX) {
		here = PAYLOAD_MIN + (f->body.n - PAYLOAD_MIN) % (PAGE - 4);
		here = here > PAYLOAD_MAX ? PAYLOAD_MIN : here;
	}
	head = varint(cell, f->body.n);
	head += varint(cell + head, (uint64_t)id);
	size = head + here + (here < f->body.n ? 4 : 0);
	if (LEAF_HEAD + (t->cells + 1) * POINTER + size > t->free)
		sqlite_end_leaf(f, t);
	t->free -= (uint32_t)size;
	p = t->page + t->free;
	memcpy(p, cell, head);
	memcpy(p + head, f->body.at, here);
	if (here < f->body.n)
		big_endian(p + head + here, sqlite_add_rest(f, here), 4);
	big_endian(t->page + LEAF_HEAD + t->cells++ * POINTER, t->free, POINTER);
	t->last = id;
}

void sqlite_file_add(struct sqlite_file *f, size_t table, const struct sqlite_value *values,
		     size_t n)
{
	if (f->failed)
		return;
	sqlite_make_record(f, true, values + 1, n - 1);
	sqlite_add_record(f, &f->tables.at[table], values[0].number);
}

/* -- the file -- */

size_t sqlite_file_add_table(struct sqlite_file *f, const char *name, const char *sql)
{
	vec_add(&f->tables,
		((struct sqlite_table){
			.name = name, .sql = sql, .page = mem_zero(PAGE), .free = PAGE}));
	return f->tables.n - 1;
}

void sqlite_file_add_view(struct sqlite_file *f, const char *name, const char *sql)
{
	vec_add(&f->tables, ((struct sqlite_table){.name = name, .sql = sql}));
}

/* Makes the first page: the file's head, and the leaf that tells of all tables. */
static void sqlite_make_first(const struct sqlite_file *f, const struct sqlite_table *all,
			      uint8_t page[PAGE])
{
	static const char magic[16] = "SQLite format 3";

	memcpy(page, magic, sizeof(magic));
	big_endian(page + 16, PAGE, 2);
	page[18] = page[19] = 1; /* versions to write and to read: with a rollback journal */
	page[21] = 64;		 /* these three shares are always the same */
	page[22] = page[23] = 32;
	page[27] = 1; /* the counter of changes */
	big_endian(page + 28, f->pages, 4);
	page[43] = 1;			   /* the counter of schemas */
	page[47] = 4;			   /* the format of schemas: with types 8 and 9 */
	page[59] = 1;			   /* UTF-8 */
	page[95] = 1;			   /* the number of pages is of this change */
	big_endian(page + 96, 3007000, 4); /* the first version that reads this number */
	sqlite_page_head(page + FILE_HEAD, LEAF, all->cells, all->free);
	memcpy(page + FILE_HEAD + LEAF_HEAD, all->page + LEAF_HEAD, all->cells * POINTER);
	memcpy(page + all->free, all->page + all->free, PAGE - all->free);
}

int sqlite_file_end(struct sqlite_file *f, const char *path, struct err *err)
{
	struct sqlite_table all = {.page = mem_zero(PAGE), .free = PAGE};
	uint8_t first[PAGE] = {0};

	for (size_t i = 0; i < f->tables.n; i++) {
		struct sqlite_table *t = &f->tables.at[i];
		const int64_t root = t->page ? sqlite_end_table(f, t) : 0;
		const struct sqlite_value row[] = {{.text = t->page ? "table" : "view"},
						   {.text = t->name},
						   {.text = t->name},
						   {.number = root},
						   {.text = t->sql}};

		sqlite_make_record(f, false, row, ARRAY_SIZE(row));
		sqlite_add_record(f, &all, (int64_t)i + 1);
	}
	if (all.pages.n || all.free < FILE_HEAD + LEAF_HEAD + all.cells * POINTER)
		f->failed = f->failed ? f->failed : EFBIG;
	sqlite_write(f);
	sqlite_make_first(f, &all, first);
	f->written = 0;
	buf_add(&f->out, first, PAGE);
	sqlite_write(f);
	free(all.page);
	vec_release(&all.pages);
	return f->failed ? err_sys(err, f->failed, "cannot write '%s'", path) : 0;
}

void sqlite_file_release(struct sqlite_file *f)
{
	for (size_t i = 0; i < f->tables.n; i++) {
		free(f->tables.at[i].page);
		vec_release(&f->tables.at[i].pages);
	}
	vec_release(&f->tables);
	buf_release(&f->out);
	buf_release(&f->head);
	buf_release(&f->body);
}
