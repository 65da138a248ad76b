// SPDX-License-Identifier: MIT
/* The actions of the keys of a report's browser. */
#include "view/browser/hist.h"
#include "base/monotonic.h"
#include "symbol/table/symbol_table.h"
#include "view/header/header.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char hist_help[] =
	"ENTER\tunfold or fold a call chain; on a row: the menu\n"
	"m\tmenu of what can be done with the row\n"
	"+\tunfold or fold one level of a call chain\n"
	"e, c\tunfold or fold the row with all its call chains; fold it\n"
	"E, C\tunfold all rows; fold all\n"
	"a\tannotated code of the function\n"
	"G\tthe call chains as a flame graph\n"
	"d, t, k, S\tzoom into the dso, the thread, the kernel, the socket of the row\n"
	"ESC\tzoom out, then leave\n"
	"&\tshow only rows that contain a text\n"
	"L\tpercent limit: rows below it are left out\n"
	"F\tpercentages of everything, or of what is shown\n"
	"<, >\tsort by the column to the left, to the right\n"
	"I\tinvert the order of what is sorted by, as a click on its header does\n"
	"o\tother sort keys for the same samples\n"
	"0-9\tsort by the n-th event of the group\n"
	"TAB, SHIFT-TAB\tnext, previous event\n"
	"H\tcolumn headers on or off\n"
	"V\tdsos in call chains on or off\n"
	"M\tall symbols of the row's dso\n"
	"P\twrite the rows to perf.hist.N\n"
	"i\theader of the recording\n"
	"s\tanother recording in this directory\n";

/* -- zoom -- */

bool hist_has_key(const struct hist *h, const char *name)
{
	for (size_t i = 0; i < h->table->layout.keys.n; i++)
		if (!strcmp(h->table->layout.keys.at[i].key->name, name))
			return true;
	return false;
}

/* Zooms in. Takes ownership of text, which is shown in the title. */
static void zoom_in(struct hist *h, const struct zoom *zoom, char *text)
{
	const struct zoom before = h->opts.zoom;
	struct err err = {0};

	h->opts.zoom = *zoom;
	h->opts.zoom.counted = true;
	if (hist_remake(h, &err)) {
		h->opts.zoom = before;
		browse_say_error(&h->browse, &err);
		free(text);
		return;
	}
	vec_add(&h->zooms, ((struct hist_zoom){before, text}));
}

static bool leave_last_zoom(struct hist *h)
{
	struct err err = {0};

	if (!h->zooms.n)
		return false;
	h->opts.zoom = h->zooms.at[h->zooms.n - 1].before;
	if (hist_remake(h, &err))
		browse_say_error(&h->browse, &err);
	free(h->zooms.at[--h->zooms.n].text);
	return true;
}

void hist_zoom_out(struct hist *h)
{
	if (h->filter.n) {
		buf_clear(&h->filter);
		hist_collect_anew(h);
	} else if (!leave_last_zoom(h) && browse_confirm(&h->browse, "Leave?")) {
		h->end = HIST_LEAVE;
	}
}

const char *hist_entry_comm(const struct hist *h, const struct entry *e)
{
	const struct samples *s = h->table->samples;
	const struct thread *thread = table_first(h->table, e)->thread;
	uint64_t v[COLUMNS];

	if (!samples_have(s, COL_COMM))
		return world_comm(s->world, thread, WORLD_NOW);
	cells_spread(&s->cells, e->first.cell, v);
	return world_comm_text(s->world, world_comm_learnt(thread, (uint32_t)v[COL_COMM]));
}

/* True when a zoom is active, so that the same key zooms out. */
static bool is_zoomed(const struct hist *h, const void *into)
{
	return into && h->zooms.n;
}

static void zoom_thread(struct hist *h, const struct hist_row *row)
{
	struct zoom zoom = h->opts.zoom;

	if (is_zoomed(h, zoom.thread) || is_zoomed(h, zoom.comm)) {
		leave_last_zoom(h);
		return;
	}
	if (hist_has_key(h, "pid")) {
		zoom.thread = table_first(h->table, row->entry)->thread;
		zoom_in(h, &zoom,
			mem_printf(", Thread: %s(%u)", hist_entry_comm(h, row->entry),
				   zoom.thread->tid));
	} else if (hist_has_key(h, "comm")) {
		zoom.comm = hist_entry_comm(h, row->entry);
		zoom_in(h, &zoom, mem_printf(", Thread: %s", zoom.comm));
	} else {
		browse_say(&h->browse, "rows are not of one thread: 'o' adds the key comm or pid");
	}
}

static void zoom_dso(struct hist *h, const struct dso *dso)
{
	struct zoom zoom = h->opts.zoom;

	if (is_zoomed(h, zoom.dso)) {
		leave_last_zoom(h);
	} else if (!dso) {
		browse_say(&h->browse, "the row is of no dso");
	} else {
		zoom.dso = dso->long_name;
		zoom_in(h, &zoom, mem_printf(", DSO: %s", dso->short_name));
	}
}

static void zoom_row_dso(struct hist *h, const struct hist_row *row)
{
	zoom_dso(h, hist_row_dso(h, row));
}

static void zoom_kernel(struct hist *h)
{
	const struct frames *frames = &h->table->samples->frames;

	for (size_t i = 0; i < frames->frames.n; i++) {
		const struct dso *dso = frames->frames.at[i].where->dso;

		if (dso && dso->kind == DSO_KERNEL && !dso->guest) {
			zoom_dso(h, dso);
			return;
		}
	}
	browse_say(&h->browse, "there are no samples of the kernel");
}

static void zoom_socket(struct hist *h, const struct hist_row *row)
{
	const struct samples *s = h->table->samples;
	struct zoom zoom = h->opts.zoom;
	uint64_t v[COLUMNS];

	if (is_zoomed(h, zoom.by_socket ? h : NULL)) {
		leave_last_zoom(h);
		return;
	}
	if (!samples_have(s, COL_CPU) || !s->m->n_sockets) {
		browse_say(&h->browse, "the recording does not tell sockets apart");
		return;
	}
	cells_spread(&s->cells, row->entry->first.cell, v);
	zoom.by_socket = true;
	zoom.socket = v[COL_CPU] < s->m->n_sockets ? s->m->socket_of_cpu[v[COL_CPU]] : -1;
	zoom_in(h, &zoom, mem_printf(", Processor Socket: %d", zoom.socket));
}

/* -- settings -- */

static void remake(struct hist *h)
{
	struct err err = {0};

	if (hist_remake(h, &err))
		browse_say_error(&h->browse, &err);
}

static void ask_filter(struct hist *h)
{
	AUTO_BUF text = {0};

	buf_add(&text, h->filter.at, h->filter.n);
	if (!browse_ask(&h->browse, "rows with", &text))
		return;
	buf_clear(&h->filter);
	buf_add(&h->filter, text.at, text.n);
	hist_collect_anew(h);
	h->browse.at = 0;
}

static void ask_limit(struct hist *h)
{
	AUTO_BUF text = {0};
	double limit;
	char *end;

	buf_printf(&text, "%g", h->view.percent_limit);
	if (!browse_ask(&h->browse, "percent limit", &text))
		return;
	limit = strtod(buf_text(&text), &end);
	end += strspn(end, "% ");
	if (end == buf_text(&text) || *end || !(limit >= 0 && limit <= 100)) {
		browse_say(&h->browse, "'%s' is not a percentage", buf_text(&text));
		return;
	}
	h->view.percent_limit = limit;
	hist_collect_anew(h);
	h->browse.at = 0;
}

void hist_current_keys(const struct hist *h, struct buf *out)
{
	const struct layout *l = &h->table->layout;

	for (size_t i = 0; i < l->keys.n; i++) {
		buf_str(out, out->n ? "," : "");
		buf_str(out,
			l->keys.at[i].key->name ? l->keys.at[i].key->name : l->keys.at[i].header);
	}
}

static void ask_keys(struct hist *h)
{
	struct layout_options before = h->opts.layout;
	struct err err = {0};
	AUTO_BUF text = {0};
	struct buf old;

	hist_current_keys(h, &text);
	if (!browse_ask(&h->browse, "sort keys", &text) || !text.n)
		return;
	old = h->keys;
	h->keys = (struct buf){0};
	buf_add(&h->keys, text.at, text.n);
	h->opts.layout.sort = buf_text(&h->keys);
	h->opts.layout.fields = NULL;
	h->sort_column = -1;
	h->reversed = false;
	if (!hist_remake(h, &err)) {
		h->view.sort = h->opts.layout.sort;
		h->view.fields = NULL;
		buf_release(&old);
		return;
	}
	h->opts.layout = before;
	if (strstr(err.text, "samples don't keep")) {
		buf_add(&h->answer, text.at, text.n);
		buf_release(&old);
		h->end = HIST_OTHER_KEYS;
		return;
	}
	buf_release(&h->keys);
	h->keys = old;
	browse_say_error(&h->browse, &err);
}

static void sort_by_member(struct hist *h, int member)
{
	const struct event *ev = h->table->events.at[h->event].event;

	if (!h->opts.group || ev->members < 2 || member >= (int)ev->members) {
		browse_say(&h->browse, "there is no event %d in a group", member);
		return;
	}
	h->opts.group_sort_index = member;
	h->sort_column = -1;
	h->reversed = false;
	h->browse.at = 0;
	remake(h);
}

#define UNFOLD_MOST 50000     /* rows that the key E unfolds: each needs a tree in memory */
#define UNFOLD_NS   200000000 /* between two looks at the keyboard */

/* Opens all rows, the first ones of very many, or until a key is typed. */
static void open_rows(struct hist *h)
{
	const size_t most = MIN(h->shown.n, (size_t)UNFOLD_MOST);
	uint64_t looked_ns = monotonic_ns();
	bool stop = false;
	size_t n = 0;

	while (n < most && !stop) {
		hist_open_all(h, n++, true);
		if (n % 16 || monotonic_ns() - looked_ns < UNFOLD_NS)
			continue;
		browse_say(&h->browse, "unfolding row %zu of %zu, any key stops", n, most);
		hist_place_trees(h);
		browse_show(&h->browse);
		stop = screen_key(h->browse.screen, 0) != 0;
		looked_ns = monotonic_ns();
	}
	buf_clear(&h->browse.message);
	if (n < h->shown.n)
		browse_say(&h->browse, "only the first %zu rows are unfolded", n);
}

static void unfold_all(struct hist *h, bool open)
{
	const struct hist_row row = hist_row(h, h->browse.at);

	if (open)
		open_rows(h);
	else
		hist_trees_release(h);
	hist_place_trees(h);
	if (row.entry)
		browse_select(&h->browse, hist_entry_row(h, row.at));
}

static void unfold_row(struct hist *h, const struct hist_row *row, bool open)
{
	hist_open_all(h, row->at, open);
	hist_place_trees(h);
	browse_select(&h->browse, hist_entry_row(h, row->at));
}

/* -- other pages and files -- */

static void show_header(struct hist *h)
{
	struct out out = {0};
	AUTO_FD file = memfd_create("header", MFD_CLOEXEC);
	off_t size;
	char *text;

	if (!h->rec || file < 0) {
		browse_say(&h->browse, "there is no header: this is no recording");
		return;
	}
	out_init(&out, file);
	header_show(h->rec, true, &out);
	out_flush(&out);
	out_release(&out);
	size = lseek(file, 0, SEEK_END);
	text = mem_zero((size_t)MAX(size, 0) + 1);
	if (pread(file, text, (size_t)MAX(size, 0), 0) == size)
		browse_text(h->browse.screen, "Header of the recording", text);
	free(text);
}

/* Shows the symbols of the row's dso, as far as they are loaded, at the line of the row's own. */
static void show_symbols(struct hist *h, const struct hist_row *row)
{
	const struct frame *frame = hist_row_frame(h, row);
	const struct dso *dso = hist_row_dso(h, row);
	AUTO_BUF text = {0}, title = {0};
	int key;

	if (!dso || !dso->symbols.n) {
		browse_say(&h->browse, dso ? "the dso has no symbols" : "the row is of no dso");
		return;
	}
	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);

		buf_printf(&text, "%16llx-%-16llx ", (unsigned long long)s->start,
			   (unsigned long long)s->end);
		buf_safe(&text, dso_symbol_name((struct dso *)(uintptr_t)dso, s));
		buf_char(&text, '\n');
	}
	buf_str(&title, "Symbols of ");
	buf_safe(&title, dso->long_name);
	key = browse_text_at(h->browse.screen, buf_text(&title), buf_text(&text),
			     frame && frame->where->sym ? frame->where->name : NULL);
	if (browse_leaves(key))
		h->end = HIST_LEAVE;
}

int hist_create_file(const char *prefix, const char *suffix, char *name, size_t size)
{
	int fd = -1;

	for (unsigned int n = 0; fd < 0 && n < 8192; n++) {
		snprintf(name, size, "%s%u%s", prefix, n, suffix);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static void write_rows(struct hist *h)
{
	struct screen_line line = {0};
	struct err err = {0};
	struct out out;
	char name[32];
	AUTO_FD fd = hist_create_file("perf.hist.", "", name, sizeof(name));

	if (fd < 0) {
		browse_say(&h->browse, "cannot write '%s': %s", name, strerror(errno));
		return;
	}
	out_init(&out, fd);
	for (size_t i = 0; i < h->browse.n && out_ready(&out); i++) {
		screen_line_clear(&line);
		hist_draw_row(h, i, &line);
		buf_add(&out.buf, line.text.at, line.text.n);
		buf_char(&out.buf, '\n');
	}
	screen_line_release(&line);
	if (out_end(&out, &err))
		browse_say_error(&h->browse, &err);
	else
		browse_say(&h->browse, "%s written", name);
	out_release(&out);
}

static bool is_recording(const char *path)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char magic[8];

	return fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void choose_file(struct hist *h)
{
	DIR *dir = opendir(".");
	VEC(const char *) names = {0};
	struct arena arena = {0};
	long chosen;

	for (const struct dirent *d; dir && (d = readdir(dir));)
		if (is_recording(d->d_name))
			vec_add(&names, arena_printf(&arena, "%s", d->d_name));
	if (dir)
		closedir(dir);
	if (!names.n) {
		browse_say(&h->browse, "there is no recording in this directory");
		return;
	}
	qsort(names.at, names.n, sizeof(*names.at), compare_names);
	chosen = browse_choose(&h->browse, "Recordings in this directory", names.at, names.n);
	if (chosen >= 0) {
		buf_str(&h->answer, names.at[chosen]);
		h->end = HIST_OTHER_FILE;
	}
	arena_release(&arena);
	vec_release(&names);
}

static const char *why_no_function(const struct hist *h, const struct frame *frame)
{
	if (!(h->table->layout.flags & KEY_SYMBOL))
		return ": 'o' adds the key sym";
	if (frame && frame->where->dso && frame->where->dso->kind == DSO_FILE)
		return ": --function-ranges finds those of stripped files";
	return "";
}

void hist_annotate(struct hist *h, const struct frame *frame, struct browse *said)
{
	struct err err = {0};
	int key;

	if (!h->source.annotate) {
		browse_say(said, "there is no code to be shown here");
		return;
	}
	if (!frame || !frame->where->sym || !frame->where->dso) {
		browse_say(said, "the row is of no function%s", why_no_function(h, frame));
		return;
	}
	key = h->source.annotate(h->source.ctx, h, frame->where->dso, frame->where->sym, &err);
	if (!key)
		browse_say_error(said, &err);
	else if (browse_leaves(key))
		h->end = HIST_LEAVE;
}

/* -- the menu -- */

/* A menu item; choosing it does what the key does. */
struct item {
	char *text;
	int key;
};

static void add_item(struct item *items, size_t *n, int key, char *text)
{
	items[(*n)++] = (struct item){text, key};
}

/* An item for each line of the owner's help that begins with a single character. */
static size_t add_owner_items(const struct hist *h, struct item *items)
{
	size_t n = 0;

	for (const char *line = h->source.help; line && *line; line += strcspn(line, "\n") + 1) {
		const int length = (int)strcspn(line, "\n");

		if (length < 3 || line[1] != '\t')
			continue;
		add_item(items, &n, line[0],
			 mem_printf("%c%.*s", toupper((unsigned char)line[2]), length - 3,
				    line + 3));
	}
	return n;
}

static size_t make_menu(struct hist *h, struct item *items)
{
	const struct hist_row row = hist_row(h, h->browse.at);
	const struct frame *frame = hist_row_frame(h, &row);
	const struct dso *dso = hist_row_dso(h, &row);
	size_t n = 0;

	if (row.entry && hist_can_open(h, row.entry))
		add_item(items, &n, '+', mem_strdup("Unfold or fold this call chain"));
	if (frame && frame->where->sym && h->source.annotate)
		add_item(items, &n, 'a', mem_printf("Annotate %s", frame->where->name));
	if (row.entry && (h->opts.zoom.thread || h->opts.zoom.comm))
		add_item(items, &n, 't', mem_strdup("Zoom out of the thread"));
	else if (row.entry && (hist_has_key(h, "comm") || hist_has_key(h, "pid")))
		add_item(items, &n, 't',
			 mem_printf("Zoom into %s thread", hist_entry_comm(h, row.entry)));
	if (h->opts.zoom.dso)
		add_item(items, &n, 'd', mem_strdup("Zoom out of the dso"));
	else if (dso)
		add_item(items, &n, 'd',
			 mem_printf("Zoom into %s DSO ('k' zooms into the kernel)",
				    dso->short_name));
	if (dso && dso->symbols.n)
		add_item(items, &n, 'M', mem_printf("Symbols of %s", dso->short_name));
	if (h->opts.zoom.by_socket)
		add_item(items, &n, 'S', mem_strdup("Zoom out of the socket"));
	else if (row.entry && samples_have(h->table->samples, COL_CPU) &&
		 h->table->samples->m->n_sockets)
		add_item(items, &n, 'S', mem_strdup("Zoom into the row's processor socket"));
	if (h->ranks)
		add_item(items, &n, 'G', mem_strdup("Flame graph of all call chains"));
	add_item(items, &n, 'o', mem_strdup("Other sort keys"));
	if (h->rec) {
		add_item(items, &n, 'i', mem_strdup("Header of the recording"));
		add_item(items, &n, 's', mem_strdup("Switch to another data file in PWD"));
	}
	n += add_owner_items(h, items + n);
	add_item(items, &n, 'q', mem_strdup("Exit"));
	return n;
}

#define ITEMS_MOST 16

void hist_menu(struct hist *h)
{
	struct item items[ITEMS_MOST];
	const char *texts[ITEMS_MOST];
	const size_t n = make_menu(h, items);
	long chosen;

	for (size_t i = 0; i < n; i++)
		texts[i] = items[i].text;
	chosen = browse_choose(&h->browse, "What to do", texts, n);
	for (size_t i = 0; i < n; i++)
		free(items[i].text);
	if (chosen >= 0)
		hist_take(h, items[chosen].key);
}

/* -- keys -- */

/* Handles a key that acts on the selected row. There must be a row. */
static bool take_row_key(struct hist *h, int key)
{
	const struct hist_row row = hist_row(h, h->browse.at);

	if (!row.entry)
		return false;
	switch (key) {
	case SCREEN_ENTER:
		if (row.line && row.line->sign != ' ')
			hist_toggle(h, h->browse.at);
		else
			hist_menu(h);
		return true;
	case '+':
		hist_toggle(h, h->browse.at);
		return true;
	case 'e':
		unfold_row(h, &row, !row.tree);
		return true;
	case 'c':
		unfold_row(h, &row, false);
		return true;
	case 'a':
		hist_annotate(h, hist_row_frame(h, &row), &h->browse);
		return true;
	case 'd':
		zoom_row_dso(h, &row);
		return true;
	case 't':
		zoom_thread(h, &row);
		return true;
	case 'S':
		zoom_socket(h, &row);
		return true;
	case 'M':
		show_symbols(h, &row);
		return true;
	default:
		return false;
	}
}

static bool take_setting(struct hist *h, int key)
{
	switch (key) {
	case 'E':
	case 'C':
		unfold_all(h, key == 'E');
		return true;
	case '&':
		ask_filter(h);
		return true;
	case 'L':
		ask_limit(h);
		return true;
	case 'F':
		h->opts.relative = !h->opts.relative;
		remake(h);
		return true;
	case '<':
	case '>':
		hist_sort_beside(h, key == '<');
		return true;
	case 'I':
		h->reversed = !h->reversed;
		hist_collect_anew(h);
		return true;
	case 'o':
		ask_keys(h);
		return true;
	case 'H':
		h->headers = !h->headers;
		return true;
	case 'V':
		h->with_dsos = !h->with_dsos;
		return true;
	default:
		return false;
	}
}

void hist_take(struct hist *h, int key)
{
	if (h->source.key && h->source.key(h->source.ctx, h, key))
		return;
	if (take_row_key(h, key) || take_setting(h, key))
		return;
	if (key >= '0' && key <= '9') {
		sort_by_member(h, key - '0');
	} else if (key == SCREEN_TAB || key == SCREEN_BACK_TAB) {
		hist_next_event(h, key == SCREEN_BACK_TAB);
	} else if (key == SCREEN_ESCAPE) {
		hist_zoom_out(h);
	} else if (browse_leaves(key)) {
		h->end = HIST_LEAVE;
	} else if (key == 'm') {
		hist_menu(h);
	} else if (key == 'k') {
		zoom_kernel(h);
	} else if (key == 'G') {
		hist_flame(h);
	} else if (key == 'P') {
		write_rows(h);
	} else if (key == 'i') {
		show_header(h);
	} else if (key == 's' && h->rec) {
		choose_file(h);
	} else {
		browse_say_unknown(&h->browse);
	}
}
