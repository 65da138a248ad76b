// SPDX-License-Identifier: MIT
/* The text is that of perf 6.1, indents included. */
#include "view/convert/convert.h"
#include "view/out/json.h"
#include "view/script/script_fields.h"

#include <time.h>

#define FRAME (FIELD_IP | SCRIPT_FRAME_SYMBOL)

/* Limit of the cached texts of chains with their keys, in bytes. At the limit all are dropped. */
#define CHAINS_MAX (32u << 20)

struct convert_text {
	struct out *out;
	bool head_shown, follows;
	/* Cached texts of chains, by epoch and words. */
	struct intern chains;
	VEC(struct chain_text { size_t at, n; }) of_chains;
	struct buf texts, key;
};

/* Ends the line before, with a comma when follows, and indents the next one. */
static void json_line(struct buf *b, bool follows, unsigned int depth)
{
	if (follows)
		buf_char(b, ',');
	buf_char(b, '\n');
	buf_fill(b, '\t', depth);
}

static void json_key(struct buf *b, bool follows, unsigned int depth, const char *name)
{
	json_line(b, follows, depth);
	buf_char(b, '"');
	buf_str(b, name);
	buf_str(b, "\": ");
}

static void json_head_text(struct buf *b, const char *name, const char *text)
{
	if (!text)
		return;
	json_key(b, true, 2, name);
	json_quote(b, text);
}

static void json_head_number(struct buf *b, const char *name, uint64_t n)
{
	json_key(b, true, 2, name);
	buf_dec(b, n);
}

static void json_captured(struct buf *b, int64_t seconds)
{
	const time_t t = (time_t)seconds;
	char text[32];
	struct tm tm;

	if (!seconds || !gmtime_r(&t, &tm) || !strftime(text, sizeof(text), "%FT%TZ", &tm))
		return;
	json_head_text(b, "captured-on", text);
}

static void json_head_file(struct buf *b, const struct recording *rec)
{
	json_head_number(b, "data-offset", rec->data_offset);
	json_head_number(b, "data-size", rec->data_size);
	json_head_number(b, "feat-offset", rec->feature_offset);
}

static void json_head_clock(struct buf *b, const struct measurement_clock *c)
{
	if (!c->wall_ns)
		return;
	json_head_number(b, "clockid", c->id);
	json_head_number(b, "clock-time", c->clock_ns);
	json_head_number(b, "real-time", c->wall_ns);
}

static void json_head(const struct convert *c, struct buf *b)
{
	const struct recording *rec = c->rec;

	buf_str(b, "{\n\t\"linux-perf-json-version\": 1,\n\t\"headers\": {");
	json_key(b, false, 2, "header-version");
	buf_char(b, '1');
	json_captured(b, c->captured);
	if (!rec->is_pipe)
		json_head_file(b, rec);
	json_head_text(b, "hostname", rec->hostname);
	json_head_text(b, "os-release", rec->m.osrelease);
	json_head_text(b, "arch", rec->m.arch);
	json_head_text(b, "cpu-desc", rec->cpudesc);
	json_head_text(b, "cpuid", rec->cpuid);
	json_head_number(b, "nrcpus-online", rec->nr_cpus_online);
	json_head_number(b, "nrcpus-avail", rec->nr_cpus_avail);
	json_head_clock(b, &rec->m.clock);
	json_head_text(b, "perf-version", rec->version);
	json_key(b, true, 2, "cmdline");
	buf_char(b, '[');
	for (size_t i = 0; i < rec->cmdline.n; i++) {
		json_line(b, i, 3);
		json_quote(b, rec->cmdline.at[i]);
	}
	buf_str(b, "\n\t\t]\n\t},\n\t\"samples\": [");
}

static void json_frame(struct convert *c, struct buf *b, bool follows, uint32_t epoch,
		       uint8_t cpumode, uint64_t ip)
{
	const struct script_frame *f = script_frame(&c->frames, epoch, cpumode, ip, FRAME);

	json_line(b, follows, 4);
	buf_str(b, "{\n\t\t\t\t\t\"ip\": \"0x");
	buf_hex(b, ip);
	buf_char(b, '"');
	if (f->sym && *f->name) {
		json_key(b, true, 5, "symbol");
		json_quote(b, f->name);
		if (f->place.map && *f->place.dso->short_name) {
			json_key(b, true, 5, "dso");
			json_quote(b, f->place.dso->short_name);
		}
	}
	json_line(b, false, 4);
	buf_char(b, '}');
}

static void json_chain(struct convert *c, struct buf *b, const struct sample *s, uint32_t epoch)
{
	uint8_t cpumode = MISC_USER;
	bool follows = false;

	for (uint64_t i = 0; i < s->callchain_nr; i++) {
		const uint64_t ip = s->callchain[i];

		if (ip >= CONTEXT_MAX) { /* a context or another marker */
			const uint8_t mode = chain_context_mode(ip);

			cpumode = mode ? mode : cpumode;
			continue;
		}
		json_frame(c, b, follows, epoch, cpumode, ip);
		follows = true;
	}
}

static void json_chains_release(struct convert_text *w)
{
	intern_release(&w->chains);
	vec_release(&w->of_chains);
	buf_clear(&w->texts);
}

static void json_known_chain(struct convert *c, struct buf *b, const struct sample *s,
			     uint32_t epoch)
{
	struct convert_text *w = c->ctx;
	const struct chain_text *t;
	uint32_t id;

	if (w->texts.n + w->chains.entries.n * sizeof(*w->chains.entries.at) > CHAINS_MAX)
		json_chains_release(w);
	buf_clear(&w->key);
	buf_add(&w->key, &epoch, sizeof(epoch));
	buf_add(&w->key, s->callchain, s->callchain_nr * sizeof(*s->callchain));
	id = intern_put(&w->chains, w->key.at, w->key.n);
	if (id == w->of_chains.n) {
		const size_t at = w->texts.n;

		json_chain(c, &w->texts, s, epoch);
		vec_add(&w->of_chains, ((struct chain_text){at, w->texts.n - at}));
	}
	t = &w->of_chains.at[id];
	buf_add(b, w->texts.at + t->at, t->n);
}

static void json_member(struct buf *b, bool follows, const char *name, uint64_t n)
{
	json_key(b, follows, 3, name);
	buf_dec(b, n);
}

/* A pid or tid; -1 is that of a task which had gone. */
static void json_task(struct buf *b, const char *name, uint32_t id)
{
	json_key(b, true, 3, name);
	buf_sdec(b, (int32_t)id);
}

static int json_sample(struct convert *c, const struct record *r, const struct thread *t,
		       uint32_t epoch)
{
	struct convert_text *w = c->ctx;
	struct buf *b = &w->out->buf;
	const struct sample *s = &r->sample;

	if (!w->head_shown)
		json_head(c, b);
	w->head_shown = true;
	json_line(b, w->follows, 2);
	w->follows = true;
	buf_char(b, '{');
	json_member(b, false, "timestamp", s->type & SAMPLE_TIME ? s->time : UINT64_MAX);
	json_task(b, "pid", t->pid);
	json_task(b, "tid", t->tid);
	if (s->type & SAMPLE_CPU)
		json_member(b, true, "cpu", s->cpu);
	json_key(b, true, 3, "comm");
	json_quote(b, world_comm(c->world, t, WORLD_NOW));
	json_key(b, true, 3, "callchain");
	buf_char(b, '[');
	if (s->type & SAMPLE_CALLCHAIN)
		json_known_chain(c, b, s, epoch);
	else
		json_frame(c, b, false, epoch, r->header.misc & MISC_CPUMODE_MASK, s->ip);
	buf_str(b, "\n\t\t\t]\n\t\t}");
	return out_ready(w->out) ? REPLAY_GO : REPLAY_STOP;
}

int convert_json(struct convert *c, struct out *out, struct err *err)
{
	static const struct convert_format format = {.sample = json_sample};
	struct convert_text w = {.out = out};
	int failed;

	c->ctx = &w;
	failed = convert_run(c, &format, err);
	if (!failed && !w.head_shown)
		json_head(c, &out->buf);
	if (!failed)
		buf_str(&out->buf, "\n\t]\n}\n");
	json_chains_release(&w);
	buf_release(&w.texts);
	buf_release(&w.key);
	return failed;
}
