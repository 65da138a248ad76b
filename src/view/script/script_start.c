// SPDX-License-Identifier: MIT
/*
 * The beginning of a script line: thread, CPU, time and event. Most lines differ from another one
 * in their time only, so the texts of threads and events are cached.
 */
#include "base/digits.h"
#include "view/script/script.h"

#define NS_PER_SECOND 1000000000

static void time_text(struct script *s, uint64_t time, struct buf *out)
{
	struct script_second *memo = &s->memo.second;
	uint64_t t = time, second, rest;
	char *p;

	if (s->reltime) {
		if (!s->first_time)
			s->first_time = time;
		t = time - s->first_time;
	} else if (s->deltatime) {
		t = s->last_time ? time - s->last_time : 0;
		s->last_time = time;
	}
	/* avoids a division when the second is that of the sample before */
	if (memo->len && t - memo->begins < NS_PER_SECOND) {
		rest = t - memo->begins;
	} else {
		second = t / NS_PER_SECOND;
		rest = t % NS_PER_SECOND;
		memo->begins = t - rest;
		memset(memo->text, ' ', 4);
		p = memo->text + (second < 10	  ? 4
				  : second < 100  ? 3
				  : second < 1000 ? 2
						  : second < 10000);
		p = digits_dec(p, second);
		*p++ = '.';
		memo->len = (size_t)(p - memo->text);
	}
	buf_reserve(out, sizeof(memo->text) + DIGITS_MAX);
	p = out->at + out->n;
	memcpy(p, memo->text, sizeof(memo->text));
	p = digits_6(p + memo->len, (uint32_t)(rest / 1000));
	if (s->ns) {
		*p++ = (char)('0' + rest % 1000 / 100);
		memcpy(p, digits_dec_pairs + 2 * (rest % 100), 2);
		p += 2;
	}
	*p++ = ':';
	*p++ = ' ';
	out->n = (size_t)(p - out->at);
}

static void signed_right(struct buf *out, int32_t v, size_t width)
{
	if (v >= 0)
		buf_dec_right(out, (uint64_t)v, width);
	else
		buf_printf(out, "%*d", (int)width, v);
}

static void pid_tid_text(uint64_t fields, uint32_t pid, uint32_t tid, struct buf *out)
{
	if ((fields & FIELD_PID) && (fields & FIELD_TID)) {
		size_t before;

		signed_right(out, (int32_t)pid, 5);
		buf_char(out, '/');
		before = out->n;
		buf_sdec(out, (int32_t)tid);
		if (out->n - before < 5)
			buf_fill(out, ' ', 5 - (out->n - before));
	} else {
		signed_right(out, (int32_t)(fields & FIELD_PID ? pid : tid), 5);
	}
	buf_char(out, ' ');
}

static void make_who(const struct script *s, const struct script_who *who, struct buf *out)
{
	if (who->fields & FIELD_COMM) {
		size_t n = strlen(who->comm);

		if (s->latency) {
			buf_printf(out, "%8.8s", who->comm);
		} else {
			if (n < 16 && !who->chain)
				buf_fill(out, ' ', 16 - n);
			buf_safe(out, who->comm);
		}
		buf_char(out, ' ');
	}
	if (who->fields & (FIELD_PID | FIELD_TID))
		pid_tid_text(who->fields, who->pid, who->tid, out);
}

/* Appends comm, pid and tid. The cache compares comms by pointer: the world has each name once. */
static void who_text(struct script *s, const struct script_who *who, struct buf *out)
{
	struct script_who *memo = &s->memo.who[who->tid % ARRAY_SIZE(s->memo.who)];
	size_t before = out->n;

	if (memo->len && memo->comm == who->comm && memo->tid == who->tid &&
	    memo->pid == who->pid && memo->fields == who->fields && memo->chain == who->chain) {
		buf_reserve(out, sizeof(memo->text));
		memcpy(out->at + before, memo->text, sizeof(memo->text));
		out->n += memo->len;
		return;
	}
	make_who(s, who, out);
	if (out->n - before <= sizeof(memo->text)) {
		*memo = *who;
		memo->len = (uint8_t)(out->n - before);
		memcpy(memo->text, out->at + before, memo->len);
	}
}

static void cpu_text(const struct script *s, uint32_t cpu, struct buf *out)
{
	char *p;

	if (s->latency) {
		signed_right(out, (int32_t)cpu, 3);
		buf_char(out, ' ');
	} else if ((int32_t)cpu < 0) {
		buf_printf(out, "[%03d] ", (int32_t)cpu);
	} else {
		buf_reserve(out, DIGITS_MAX + 8);
		p = out->at + out->n;
		memcpy(p, "[00", 3);
		p = digits_dec(p + (cpu < 10 ? 3 : cpu < 100 ? 2 : 1), cpu);
		memcpy(p, "] ", 2);
		out->n = (size_t)(p + 2 - out->at);
	}
}

void script_start(struct script *s, const struct record *r, const char *comm,
		  const struct event *ev, struct buf *out)
{
	const uint64_t fields = s->fields.types[output_type(ev->attr.type)].fields;
	const uint64_t time = r->id.has & SAMPLE_TIME ? r->id.time : UINT64_MAX;
	const bool has_tid = r->id.has & SAMPLE_TID;

	if (fields & (FIELD_COMM | FIELD_PID | FIELD_TID)) {
		struct script_who who = {
			.comm = comm ? comm : ":-1",
			.pid = has_tid ? r->id.pid : (uint32_t)-1,
			.tid = has_tid ? r->id.tid : (uint32_t)-1,
			.fields = fields & (FIELD_COMM | FIELD_PID | FIELD_TID),
			.chain = (fields & FIELD_IP) && script_has_chain(s, ev),
		};

		who_text(s, &who, out);
	}
	if (fields & FIELD_CPU)
		cpu_text(s, r->id.has & SAMPLE_CPU ? r->id.cpu : (uint32_t)-1, out);
	if (fields & FIELD_MISC)
		script_misc(r, out);
	if (fields & FIELD_TOD) {
		script_clock_time(s->rec, time, s->ns, out);
		buf_char(out, ' ');
	}
	if (fields & FIELD_TIME)
		time_text(s, time, out);
}

static size_t longest_name(const struct recording *rec)
{
	size_t longest = 0;

	for (size_t i = 0; i < rec->m.events.events.n; i++)
		longest = MAX(longest, strlen(rec->m.events.events.at[i]->name));
	return longest;
}

void script_event_name(struct script *s, const struct event *ev, struct buf *out)
{
	struct script_event *memo = &s->memo.events[ev->index % ARRAY_SIZE(s->memo.events)];

	if (!s->name_width)
		s->name_width = longest_name(s->rec);
	if (memo->name != ev->name) {
		memo->name = ev->name;
		memo->len = strlen(ev->name);
	}
	if (memo->len < s->name_width)
		buf_fill(out, ' ', s->name_width - memo->len);
	buf_add(out, ev->name, memo->len);
	buf_add(out, ": ", 2);
}
