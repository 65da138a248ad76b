// SPDX-License-Identifier: MIT
/*
 * The tables, columns and views have the names that perf's scripts export-to-sqlite.py and
 * exported-sql-viewer.py use. Row 0 of a table stands for an unknown thread, dso, symbol or path.
 */
#include "view/convert/convert.h"
#include "view/convert/sqlite_file.h"
#include "view/script/script_fields.h"

#define FRAME (FIELD_IP | SCRIPT_FRAME_SYMBOL)

#define ID "(id integer NOT NULL PRIMARY KEY, "

enum sqlite_tables {
	EVENTS,
	MACHINES,
	THREADS,
	COMMS,
	COMM_THREADS,
	DSOS,
	SYMBOLS,
	BRANCH_TYPES,
	SAMPLES,
	CALL_PATHS,
};
static const struct {
	const char *name, *sql;
} tables[] = {
	[EVENTS] = {"selected_events", "CREATE TABLE selected_events " ID "name varchar(80))"},
	[MACHINES] = {"machines",
		      "CREATE TABLE machines " ID "pid integer, root_dir varchar(4096))"},
	[THREADS] = {"threads", "CREATE TABLE threads " ID "machine_id bigint, process_id bigint,"
				" pid integer, tid integer)"},
	[COMMS] = {"comms", "CREATE TABLE comms " ID "comm varchar(16), c_thread_id bigint,"
			    " c_time bigint, exec_flag boolean)"},
	[COMM_THREADS] = {"comm_threads",
			  "CREATE TABLE comm_threads " ID "comm_id bigint, thread_id bigint)"},
	[DSOS] = {"dsos", "CREATE TABLE dsos " ID "machine_id bigint, short_name varchar(256),"
			  " long_name varchar(4096), build_id varchar(64))"},
	[SYMBOLS] = {"symbols", "CREATE TABLE symbols " ID "dso_id bigint, sym_start bigint,"
				" sym_end bigint, binding integer, name varchar(2048))"},
	[BRANCH_TYPES] = {"branch_types", "CREATE TABLE branch_types " ID "name varchar(80))"},
	[SAMPLES] = {"samples",
		     "CREATE TABLE samples " ID "evsel_id bigint, machine_id bigint,"
		     " thread_id bigint, comm_id bigint, dso_id bigint, symbol_id bigint,"
		     " sym_offset bigint, ip bigint, time bigint, cpu integer, to_dso_id bigint,"
		     " to_symbol_id bigint, to_sym_offset bigint, to_ip bigint, period bigint,"
		     " weight bigint, transaction_ bigint, data_src bigint, branch_type integer,"
		     " in_tx boolean, call_path_id bigint, insn_count bigint, cyc_count bigint,"
		     " flags integer)"},
	[CALL_PATHS] = {"call_paths", "CREATE TABLE call_paths " ID "parent_id bigint,"
				      " symbol_id bigint, ip bigint)"},
};
static const struct {
	const char *name, *sql;
} views[] = {
	{"machines_view",
	 "CREATE VIEW machines_view AS SELECT id, pid, root_dir, CASE id WHEN 0 THEN 'unknown'"
	 " ELSE CASE pid WHEN -1 THEN 'host' ELSE 'guest' END END AS host_or_guest FROM machines"},
	{"dsos_view", "CREATE VIEW dsos_view AS SELECT d.id, d.machine_id, m.host_or_guest,"
		      " d.short_name, d.long_name, d.build_id FROM dsos d"
		      " LEFT JOIN machines_view m ON m.id = d.machine_id"},
	{"symbols_view",
	 "CREATE VIEW symbols_view AS SELECT s.id, s.name, d.short_name AS dso, s.dso_id,"
	 " s.sym_start, s.sym_end, CASE s.binding WHEN 0 THEN 'local' WHEN 1 THEN 'global'"
	 " ELSE 'weak' END AS binding FROM symbols s LEFT JOIN dsos d ON d.id = s.dso_id"},
	{"threads_view",
	 "CREATE VIEW threads_view AS SELECT t.id, t.machine_id, m.host_or_guest, t.process_id,"
	 " t.pid, t.tid FROM threads t LEFT JOIN machines_view m ON m.id = t.machine_id"},
	{"comm_threads_view",
	 "CREATE VIEW comm_threads_view AS SELECT x.comm_id, c.comm AS command, x.thread_id,"
	 " t.pid, t.tid FROM comm_threads x LEFT JOIN comms c ON c.id = x.comm_id"
	 " LEFT JOIN threads t ON t.id = x.thread_id"},
	{"call_paths_view",
	 "CREATE VIEW call_paths_view AS SELECT c.id, printf('%x', c.ip) AS ip, c.symbol_id,"
	 " s.name AS symbol, s.dso_id, s.dso AS dso_short_name, c.parent_id,"
	 " printf('%x', p.ip) AS parent_ip, p.symbol_id AS parent_symbol_id,"
	 " ps.name AS parent_symbol, ps.dso_id AS parent_dso_id, ps.dso AS parent_dso_short_name"
	 " FROM call_paths c LEFT JOIN call_paths p ON p.id = c.parent_id"
	 " LEFT JOIN symbols_view s ON s.id = c.symbol_id"
	 " LEFT JOIN symbols_view ps ON ps.id = p.symbol_id"},
	{"samples_view",
	 "CREATE VIEW samples_view AS SELECT p.id, p.time, p.cpu, t.pid, t.tid, c.comm,"
	 " c.comm AS command, e.name AS event, p.ip, printf('%x', p.ip) AS ip_hex,"
	 " s.name AS symbol, p.sym_offset, d.short_name AS dso_short_name,"
	 " printf('%x', p.to_ip) AS to_ip_hex, ts.name AS to_symbol, p.to_sym_offset,"
	 " td.short_name AS to_dso_short_name, b.name AS branch_type_name, p.in_tx,"
	 " p.insn_count, p.cyc_count,"
	 " coalesce(round(p.insn_count * 1.0 / nullif(p.cyc_count, 0), 2), 0.0) AS IPC, p.flags,"
	 " p.period, p.weight, p.call_path_id FROM samples p"
	 " LEFT JOIN threads t ON t.id = p.thread_id LEFT JOIN comms c ON c.id = p.comm_id"
	 " LEFT JOIN selected_events e ON e.id = p.evsel_id"
	 " LEFT JOIN branch_types b ON b.id = p.branch_type"
	 " LEFT JOIN symbols s ON s.id = p.symbol_id LEFT JOIN dsos d ON d.id = p.dso_id"
	 " LEFT JOIN symbols ts ON ts.id = p.to_symbol_id"
	 " LEFT JOIN dsos td ON td.id = p.to_dso_id"},
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
	struct sqlite_file file;
	struct convert *c;
	/* Things that have a row already. The row's number is the id plus 1. */
	struct intern threads, comms, comm_threads, dsos, symbols, call_paths;
	struct intern chains; /* hash of epoch and words -> .leaves */
	VEC(int64_t) leaves;
	struct sqlite_place *places;   /* PLACES of them: the last addresses, by their hash */
	VEC(struct sqlite_task) tasks; /* by the thread's index */
	size_t events;		       /* events that have rows */
};

/* Adds a row of the numbers and texts that follow. */
#define sqlite_insert(w, table, ...)                                                               \
	sqlite_file_add(&(w)->file, table, (const struct sqlite_value[]){__VA_ARGS__},             \
			ARRAY_SIZE(((const struct sqlite_value[]){__VA_ARGS__})))

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
		sqlite_insert(w, THREADS, {.number = id + 1ll}, {.number = 1},
			      {.number = main ? id + 1ll : process}, {.number = (int32_t)t->pid},
			      {.number = (int32_t)t->tid});
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
		sqlite_insert(w, COMMS, {.number = id}, {.text = comm}, {.number = thread},
			      {.number = (int64_t)t->begun}, {.number = 0});
	pairs = (uint32_t)w->comm_threads.entries.n;
	pair = intern_put(&w->comm_threads, key, sizeof(key));
	if (pair == pairs)
		sqlite_insert(w, COMM_THREADS,

			      {.number = pair + 1ll}, {.number = id}, {.number = thread});
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
	sqlite_insert(w, DSOS, {.number = id}, {.number = 1}, {.text = dso->short_name},
		      {.text = dso->long_name}, {.text = text});
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
		sqlite_insert(w, SYMBOLS, {.number = id}, {.number = key.dso},
			      {.number = (int64_t)f->sym->start}, {.number = (int64_t)f->sym->end},
			      {.number = 0}, {.text = f->name});
	return id;
}

static int64_t sqlite_call_path(struct sqlite_writer *w, int64_t parent,
				const struct script_frame *f, uint64_t ip)
{
	const uint32_t n = (uint32_t)w->call_paths.entries.n;
	const int64_t key[3] = {parent, sqlite_symbol(w, f), (int64_t)ip};
	const int64_t id = intern_put(&w->call_paths, key, sizeof(key)) + 1ll;

	if (id == n + 1ll)
		sqlite_insert(w, CALL_PATHS, {.number = id}, {.number = parent}, {.number = key[1]},
			      {.number = key[2]});
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
	struct hash128 key;
	uint32_t id;

	unwound_chain(&w->c->frames.unwound, epoch, s, &chain, &n);
	if (!n)
		return 0;
	/* the hash, of a secret seed, stands for the chain: it is not kept, and not compared */
	key = hash_bytes128(chain, n * sizeof(*chain), hash_seed() ^ epoch);
	id = intern_put_hashed(&w->chains, &key, sizeof(key), key.low);
	if (id == w->leaves.n)
		vec_add(&w->leaves, sqlite_walk_chain(w, epoch, chain, n));
	return w->leaves.at[id];
}

/* Adds rows for new events: those of a pipe come while it is read. */
static void sqlite_events(struct sqlite_writer *w)
{
	const struct event_set *set = &w->c->rec->m.events;

	for (; w->events < set->events.n; w->events++)
		sqlite_insert(w, EVENTS, {.number = (int64_t)w->events + 1},
			      {.text = set->events.at[w->events]->name});
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
	const struct sqlite_value row[] = {
		{.number = (int64_t)c->samples},
		{.number = r->event->index + 1ll},
		{.number = 1},
		{.number = task.thread},
		{.number = task.comm},
		{.number = place->dso},
		{.number = place->symbol},
		{.number = place->offset},
		{.number = (int64_t)s->ip},
		{.number = (int64_t)s->time},
		{.number = s->type & SAMPLE_CPU ? (int64_t)s->cpu : -1},
		[15] = {.number = (int64_t)s->period},
		[16] = {.number = (int64_t)s->weight},
		[17] = {.number = (int64_t)s->transaction},
		[18] = {.number = (int64_t)s->data_src},
		[21] = {.number = sqlite_chain(w, epoch, s)},
		[24] = {.number = 0}, /* the last of the columns */
	};

	sqlite_events(w);
	sqlite_file_add(&w->file, SAMPLES, row, ARRAY_SIZE(row));
	return w->file.failed ? REPLAY_STOP : REPLAY_GO;
}

/* -- the database -- */

/* Defines the tables; row 0 stands for what is not known. */
static void sqlite_begin(struct sqlite_writer *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		(void)sqlite_file_add_table(&w->file, tables[i].name, tables[i].sql);
	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		sqlite_file_add_view(&w->file, views[i].name, views[i].sql);
	sqlite_insert(w, EVENTS, {.number = 0}, {.text = "unknown"});
	sqlite_insert(w, BRANCH_TYPES, {.number = 0}, {.text = "no branch"});
	sqlite_insert(w, MACHINES, {.number = 0}, {.number = 0}, {.text = "unknown"});
	sqlite_insert(w, MACHINES, {.number = 1}, {.number = -1}, {.text = ""});
	sqlite_insert(w, THREADS, {.number = 0}, {.number = 0}, {.number = 0}, {.number = -1},
		      {.number = -1});
	sqlite_insert(w, COMMS, {.number = 0}, {.text = "unknown"}, {.number = 0}, {.number = 0},
		      {.number = 0});
	sqlite_insert(w, DSOS, {.number = 0}, {.number = 0}, {.text = "unknown"},
		      {.text = "unknown"}, {.text = ""});
	sqlite_insert(w, SYMBOLS, {.number = 0}, {.number = 0}, {.number = 0}, {.number = 0},
		      {.number = 0}, {.text = "unknown"});
	sqlite_insert(w, CALL_PATHS, {.number = 0}, {.number = 0}, {.number = 0}, {.number = 0});
}

static void sqlite_release(struct sqlite_writer *w)
{
	sqlite_file_release(&w->file);
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

int convert_sqlite(struct convert *c, int fd, const char *path, struct err *err)
{
	static const struct convert_format format = {.sample = sqlite_sample};
	struct sqlite_writer w = {.file.fd = fd, .c = c};
	int failed;

	c->ctx = &w;
	w.places = mem_zero(PLACES * sizeof(*w.places));
	sqlite_begin(&w);
	failed = convert_run(c, &format, err);
	if (!failed) {
		sqlite_events(&w);
		failed = sqlite_file_end(&w.file, path, err);
	}
	sqlite_release(&w);
	return failed ? -1 : 0;
}
