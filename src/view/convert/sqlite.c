// SPDX-License-Identifier: MIT
/*
 * The tables, columns and views have the names that perf's scripts export-to-sqlite.py and
 * exported-sql-viewer.py use. Row 0 of a table stands for an unknown thread, dso, symbol or path.
 */
#include "view/convert/convert.h"
#include "view/convert/sqlite_library.h"
#include "view/script/script_fields.h"

#define FRAME (FIELD_IP | SCRIPT_FRAME_SYMBOL)

static const char schema[] =
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
	"CREATE TABLE selected_events (id integer NOT NULL PRIMARY KEY, name varchar(80));"
	"CREATE TABLE machines (id integer NOT NULL PRIMARY KEY, pid integer,"
	" root_dir varchar(4096));"
	"CREATE TABLE threads (id integer NOT NULL PRIMARY KEY, machine_id bigint,"
	" process_id bigint, pid integer, tid integer);"
	"CREATE TABLE comms (id integer NOT NULL PRIMARY KEY, comm varchar(16),"
	" c_thread_id bigint, c_time bigint, exec_flag boolean);"
	"CREATE TABLE comm_threads (id integer NOT NULL PRIMARY KEY, comm_id bigint,"
	" thread_id bigint);"
	"CREATE TABLE dsos (id integer NOT NULL PRIMARY KEY, machine_id bigint,"
	" short_name varchar(256), long_name varchar(4096), build_id varchar(64));"
	"CREATE TABLE symbols (id integer NOT NULL PRIMARY KEY, dso_id bigint, sym_start bigint,"
	" sym_end bigint, binding integer, name varchar(2048));"
	"CREATE TABLE branch_types (id integer NOT NULL PRIMARY KEY, name varchar(80));"
	"CREATE TABLE samples (id integer NOT NULL PRIMARY KEY, evsel_id bigint,"
	" machine_id bigint, thread_id bigint, comm_id bigint, dso_id bigint, symbol_id bigint,"
	" sym_offset bigint, ip bigint, time bigint, cpu integer, to_dso_id bigint,"
	" to_symbol_id bigint, to_sym_offset bigint, to_ip bigint, period bigint, weight bigint,"
	" transaction_ bigint, data_src bigint, branch_type integer, in_tx boolean,"
	" call_path_id bigint, insn_count bigint, cyc_count bigint, flags integer);"
	"CREATE TABLE call_paths (id integer NOT NULL PRIMARY KEY, parent_id bigint,"
	" symbol_id bigint, ip bigint);"
	"INSERT INTO selected_events VALUES (0, 'unknown');"
	"INSERT INTO machines VALUES (0, 0, 'unknown'), (1, -1, '');"
	"INSERT INTO threads VALUES (0, 0, 0, -1, -1);"
	"INSERT INTO comms VALUES (0, 'unknown', 0, 0, 0);"
	"INSERT INTO dsos VALUES (0, 0, 'unknown', 'unknown', '');"
	"INSERT INTO symbols VALUES (0, 0, 0, 0, 0, 'unknown');"
	"INSERT INTO call_paths VALUES (0, 0, 0, 0);";

static const char views[] =
	"CREATE VIEW call_paths_view AS SELECT c.id, c.parent_id, c.symbol_id,"
	" s.name AS symbol, c.ip, d.short_name AS dso_short_name FROM call_paths c"
	" LEFT JOIN symbols s ON s.id = c.symbol_id LEFT JOIN dsos d ON d.id = s.dso_id;"
	"CREATE VIEW samples_view AS SELECT p.id, p.time, p.cpu, t.pid, t.tid, c.comm,"
	" e.name AS event, p.ip, s.name AS symbol, p.sym_offset, d.short_name AS dso_short_name,"
	" p.period, p.weight, p.call_path_id FROM samples p"
	" LEFT JOIN threads t ON t.id = p.thread_id LEFT JOIN comms c ON c.id = p.comm_id"
	" LEFT JOIN selected_events e ON e.id = p.evsel_id"
	" LEFT JOIN symbols s ON s.id = p.symbol_id LEFT JOIN dsos d ON d.id = p.dso_id;"
	"COMMIT;";

#define SAMPLE_COLUMNS 25

/* Tables with an insert statement of their own. */
enum sqlite_table {
	INTO_EVENTS,
	INTO_THREADS,
	INTO_COMMS,
	INTO_COMM_THREADS,
	INTO_DSOS,
	INTO_SYMBOLS,
	INTO_SAMPLES,
	INTO_CALL_PATHS,
	INTO_TABLES
};
static const struct {
	const char *name;
	int columns;
} into[INTO_TABLES] = {
	[INTO_EVENTS] = {"selected_events", 2},
	[INTO_THREADS] = {"threads", 5},
	[INTO_COMMS] = {"comms", 5},
	[INTO_COMM_THREADS] = {"comm_threads", 3},
	[INTO_DSOS] = {"dsos", 5},
	[INTO_SYMBOLS] = {"symbols", 6},
	[INTO_SAMPLES] = {"samples", SAMPLE_COLUMNS},
	[INTO_CALL_PATHS] = {"call_paths", 4},
};

/* A cell: a text, or a number. */
struct sqlite_cell {
	const char *text;
	int64_t number;
};

#define PLACES_BITS 12
#define PLACES	    (1 << PLACES_BITS)

/* Where an address is, as a sample's row has it. */
struct sqlite_place {
	uint64_t ip;
	uint32_t epoch;
	uint8_t mode;
	bool known;
	int64_t dso, symbol, offset;
};
/* What a thread's samples refer to, as long as it is of that process and has that name. */
struct sqlite_task {
	uint32_t pid;
	const char *comm_text; /* as the world has it; NULL: nothing is known */
	int64_t thread, comm;
};

struct sqlite_writer {
	struct sqlite lib;
	sqlite3 *db;
	const char *path;
	struct convert *c;
	sqlite3_stmt *insert[INTO_TABLES];
	int64_t bound[SAMPLE_COLUMNS]; /* what the columns of the last sample were bound to */
	bool any_bound;
	/* Things that have a row already. The row's number is the id plus 1. */
	struct intern threads, comms, comm_threads, dsos, symbols, call_paths;
	struct intern chains; /* hash of epoch and words -> .leaves */
	VEC(int64_t) leaves;
	struct sqlite_place *places; /* PLACES of them: the last addresses, by their hash */
	VEC(struct sqlite_task) tasks;	    /* by the thread's index */
	size_t events; /* events that have rows */
	bool failed;
};

static int sqlite_fail(struct sqlite_writer *w, struct err *err)
{
	if (!w->failed)
		err_set(err, ERR_SYSTEM, "cannot write '%s': %s", w->path,
			w->db ? w->lib.message(w->db) : "no memory");
	w->failed = true;
	return -1;
}

static int sqlite_exec(struct sqlite_writer *w, const char *sql, struct err *err)
{
	return w->lib.exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sqlite_fail(w, err);
}

static void sqlite_insert(struct sqlite_writer *w, enum sqlite_table table,
			  const struct sqlite_cell *cells)
{
	sqlite3_stmt *s = w->insert[table];

	if (w->failed)
		return;
	for (int i = 0; i < into[table].columns; i++) {
		if (cells[i].text)
			w->lib.bind_text(s, i + 1, cells[i].text, -1, SQLITE_STATIC);
		else
			w->lib.bind_number(s, i + 1, cells[i].number);
	}
	if (w->lib.step(s) != SQLITE_DONE)
		sqlite_fail(w, w->c->err);
	w->lib.reset(s);
}

/* Binds only what differs from the sample before: most of the columns are always the same, and a
 * bound value stays. */
static void sqlite_insert_sample(struct sqlite_writer *w, const int64_t row[SAMPLE_COLUMNS])
{
	sqlite3_stmt *s = w->insert[INTO_SAMPLES];

	for (int i = 0; i < SAMPLE_COLUMNS; i++)
		if (!w->any_bound || row[i] != w->bound[i])
			w->lib.bind_number(s, i + 1, row[i]);
	memcpy(w->bound, row, sizeof(w->bound));
	w->any_bound = true;
	if (w->lib.step(s) != SQLITE_DONE)
		sqlite_fail(w, w->c->err);
	w->lib.reset(s);
}

/* -- rows that samples refer to -- */

static int64_t sqlite_thread(struct sqlite_writer *w, const struct thread *t)
{
	const struct {
		uint32_t index, pid;
	} key = {t->index, t->pid};
	const bool main = t->pid == t->tid || t->pid == UINT32_MAX;
	/* The main thread's row comes before this thread's. */
	const int64_t process =
		main ? 0 : sqlite_thread(w, world_thread(w->c->world, t->pid, t->pid, WORLD_NOW));
	const uint32_t n = (uint32_t)w->threads.entries.n;
	const uint32_t id = intern_put(&w->threads, &key, sizeof(key));

	/* A thread whose process became known later gets a second row. */
	if (id == n)
		sqlite_insert(w, INTO_THREADS,
			      (struct sqlite_cell[]){{.number = id + 1ll},
						     {.number = 1},
						     {.number = main ? id + 1ll : process},
						     {.number = (int32_t)t->pid},
						     {.number = (int32_t)t->tid}});
	return id + 1ll;
}

static int64_t sqlite_comm(struct sqlite_writer *w, const struct thread *t, const char *comm,
			   int64_t thread)
{
	const uint32_t n = (uint32_t)w->comms.entries.n;
	const int64_t id = intern_str(&w->comms, comm) + 1ll;
	const int64_t key[2] = {id, thread};
	uint32_t pair, pairs;

	if (id == n + 1ll)
		sqlite_insert(w, INTO_COMMS,
			      (struct sqlite_cell[]){{.number = id},
						     {.text = comm},
						     {.number = thread},
						     {.number = (int64_t)t->begun},
						     {.number = 0}});
	pairs = (uint32_t)w->comm_threads.entries.n;
	pair = intern_put(&w->comm_threads, key, sizeof(key));
	if (pair == pairs)
		sqlite_insert(w, INTO_COMM_THREADS,
			      (struct sqlite_cell[]){
				      {.number = pair + 1ll}, {.number = id}, {.number = thread}});
	return id;
}

/* The rows of a thread and its comm: looked up once for each name that it has. */
static const struct sqlite_task *sqlite_task(struct sqlite_writer *w, const struct thread *t)
{
	const char *comm = world_comm(w->c->world, t, WORLD_NOW);
	struct sqlite_task *task;

	while (w->tasks.n <= t->index)
		(void)vec_extend(&w->tasks, 1);
	task = &w->tasks.at[t->index];
	if (task->comm_text != comm || task->pid != t->pid) {
		const int64_t thread = sqlite_thread(w, t);

		*task = (struct sqlite_task){t->pid, comm, thread, sqlite_comm(w, t, comm, thread)};
	}
	return task;
}

static int64_t sqlite_dso(struct sqlite_writer *w, const struct dso *dso)
{
	const uint32_t n = (uint32_t)w->dsos.entries.n;
	char text[41] = "";
	int64_t id;

	if (!dso)
		return 0;
	id = intern_put(&w->dsos, &dso->index, sizeof(dso->index)) + 1ll;
	if (id <= n)
		return id;
	if (dso->build_id.size)
		build_id_text(&dso->build_id, text);
	sqlite_insert(w, INTO_DSOS,
		      (struct sqlite_cell[]){{.number = id},
					     {.number = 1},
					     {.text = dso->short_name},
					     {.text = dso->long_name},
					     {.text = text}});
	return id;
}

static int64_t sqlite_symbol(struct sqlite_writer *w, const struct script_frame *f)
{
	const uint32_t n = (uint32_t)w->symbols.entries.n;
	struct {
		uint64_t start;
		int64_t dso;
	} key;
	int64_t id;

	if (!f->sym)
		return 0;
	key.dso = sqlite_dso(w, f->place.dso);
	key.start = f->sym->start;
	id = intern_put(&w->symbols, &key, sizeof(key)) + 1ll;
	if (id == n + 1ll)
		sqlite_insert(w, INTO_SYMBOLS,
			      (struct sqlite_cell[]){{.number = id},
						     {.number = key.dso},
						     {.number = (int64_t)f->sym->start},
						     {.number = (int64_t)f->sym->end},
						     {.number = 0},
						     {.text = f->name}});
	return id;
}

static int64_t sqlite_call_path(struct sqlite_writer *w, int64_t parent,
				const struct script_frame *f, uint64_t ip)
{
	const uint32_t n = (uint32_t)w->call_paths.entries.n;
	const int64_t key[3] = {parent, sqlite_symbol(w, f), (int64_t)ip};
	const int64_t id = intern_put(&w->call_paths, key, sizeof(key)) + 1ll;

	if (id == n + 1ll)
		sqlite_insert(w, INTO_CALL_PATHS,
			      (struct sqlite_cell[]){{.number = id},
						     {.number = parent},
						     {.number = key[1]},
						     {.number = key[2]}});
	return id;
}

/* Returns the call path of a chain. The chain is innermost first, with contexts between; the path
 * begins at the outermost frame. */
static int64_t sqlite_walk_chain(struct sqlite_writer *w, uint32_t epoch, const uint64_t *chain,
				 uint64_t n)
{
	uint8_t *modes = mem_alloc(n + 1), mode = MISC_USER;
	int64_t path = 0;

	for (uint64_t i = 0; i < n; i++) {
		const uint8_t next = chain[i] >= CONTEXT_MAX ? chain_context_mode(chain[i]) : 0;

		mode = next ? next : mode;
		modes[i] = mode;
	}
	for (uint64_t i = n; i--;)
		if (chain[i] < CONTEXT_MAX)
			path = sqlite_call_path(
				w, path,
				script_frame(&w->c->frames, epoch, modes[i], chain[i], FRAME),
				chain[i]);
	free(modes);
	return path;
}

static int64_t sqlite_chain(struct sqlite_writer *w, uint32_t epoch, const struct sample *s)
{
	const uint64_t *chain = s->callchain;
	uint64_t n = s->callchain_nr;
	uint64_t key[2];
	uint32_t id;

	unwound_chain(&w->c->frames.unwound, epoch, s, &chain, &n);
	if (!n)
		return 0;
	/* 128 bits of two secret seeds stand for the chain: it is not kept, and not compared */
	for (uint32_t i = 0; i < 2; i++)
		key[i] = hash_bytes(chain, n * sizeof(*chain),
				    hash_seed() ^ ((uint64_t)i << 63 | epoch));
	id = intern_put(&w->chains, key, sizeof(key));
	if (id == w->leaves.n)
		vec_add(&w->leaves, sqlite_walk_chain(w, epoch, chain, n));
	return w->leaves.at[id];
}

/* Adds rows for new events: those of a pipe come while it is read. */
static void sqlite_events(struct sqlite_writer *w)
{
	const struct event_set *set = &w->c->rec->m.events;

	for (; w->events < set->events.n; w->events++)
		sqlite_insert(w, INTO_EVENTS,
			      (struct sqlite_cell[]){{.number = (int64_t)w->events + 1},
						     {.text = set->events.at[w->events]->name}});
}

static const struct sqlite_place *sqlite_place(struct sqlite_writer *w, uint32_t epoch,
					       uint8_t mode, uint64_t ip)
{
	/* the golden ratio in 64 bits: near addresses go far from each other */
	const uint64_t hash = (ip ^ (uint64_t)epoch << 40 ^ mode) * 0x9e3779b97f4a7c15;
	struct sqlite_place *p = &w->places[hash >> (64 - PLACES_BITS)];
	const struct script_frame *f;

	if (p->known && p->ip == ip && p->epoch == epoch && p->mode == mode)
		return p;
	f = script_frame(&w->c->frames, epoch, mode, ip, FRAME);
	*p = (struct sqlite_place){.ip = ip,
				   .epoch = epoch,
				   .mode = mode,
				   .known = true,
				   .dso = sqlite_dso(w, f->place.dso),
				   .symbol = sqlite_symbol(w, f),
				   .offset = f->sym ? (int64_t)f->offset : 0};
	return p;
}

static int sqlite_sample(struct convert *c, const struct record *r, const struct thread *t,
			 uint32_t epoch)
{
	struct sqlite_writer *w = c->ctx;
	const struct sample *s = &r->sample;
	const struct sqlite_task task = *sqlite_task(w, t);
	const struct sqlite_place *place =
		sqlite_place(w, epoch, r->header.misc & MISC_CPUMODE_MASK, s->ip);
	const int64_t row[SAMPLE_COLUMNS] = {
		(int64_t)c->samples,
		r->event->index + 1ll,
		1,
		task.thread,
		task.comm,
		place->dso,
		place->symbol,
		place->offset,
		(int64_t)s->ip,
		(int64_t)s->time,
		s->type & SAMPLE_CPU ? (int64_t)s->cpu : -1,
		[15] = (int64_t)s->period,
		[16] = (int64_t)s->weight,
		[17] = (int64_t)s->transaction,
		[18] = (int64_t)s->data_src,
		[21] = sqlite_chain(w, epoch, s),
	};

	sqlite_events(w);
	if (!w->failed)
		sqlite_insert_sample(w, row);
	return w->failed ? -1 : REPLAY_GO;
}

/* -- the database -- */

static int sqlite_begin(struct sqlite_writer *w, struct err *err)
{
	if (w->lib.open(w->path, &w->db,
			SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			NULL) != SQLITE_OK)
		return sqlite_fail(w, err);
	if (sqlite_exec(w, schema, err))
		return -1;
	for (size_t i = 0; i < INTO_TABLES; i++) {
		AUTO_BUF sql = {0};

		buf_printf(&sql, "INSERT INTO %s VALUES (?", into[i].name);
		for (int k = 1; k < into[i].columns; k++)
			buf_str(&sql, ", ?");
		buf_char(&sql, ')');
		if (w->lib.prepare(w->db, buf_text(&sql), -1, &w->insert[i], NULL) != SQLITE_OK)
			return sqlite_fail(w, err);
	}
	return 0;
}

static void sqlite_release(struct sqlite_writer *w)
{
	for (size_t i = 0; i < INTO_TABLES; i++)
		w->lib.finalize(w->insert[i]);
	if (w->db)
		w->lib.close(w->db);
	library_close(w->lib.library);
	intern_release(&w->threads);
	intern_release(&w->comms);
	intern_release(&w->comm_threads);
	intern_release(&w->dsos);
	intern_release(&w->symbols);
	intern_release(&w->call_paths);
	intern_release(&w->chains);
	vec_release(&w->leaves);
	vec_release(&w->tasks);
	free(w->places);
}

int convert_sqlite(struct convert *c, const char *path, struct err *err)
{
	static const struct convert_format format = {.sample = sqlite_sample};
	struct sqlite_writer w = {.path = path, .c = c};
	int failed;

	if (sqlite_load(&w.lib, err))
		return -1;
	c->ctx = &w;
	w.places = mem_zero(PLACES * sizeof(*w.places));
	failed = sqlite_begin(&w, err) || convert_run(c, &format, err);
	if (!failed) {
		c->err = err;
		sqlite_events(&w);
		failed = w.failed || sqlite_exec(&w, views, err);
	}
	sqlite_release(&w);
	return failed ? -1 : 0;
}
