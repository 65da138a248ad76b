// SPDX-License-Identifier: MIT
#include "capture/open/sample_filter.h"

#include "base/err.h"
#include "event/filter/filter.h"

#ifdef HAVE_BPF
#include "os/bpf/filter.h"

/* In the order of enum sample_field: the kernel's field, and which bits of it. */
static const struct source {
	uint8_t field, shift, width;
} sources[] = {
	[FIELD_IP] = {BPF_FILTER_IP, 0, 0},
	[FIELD_ID] = {BPF_FILTER_ID, 0, 0},
	[FIELD_TID] = {BPF_FILTER_TID, 0, 0},
	[FIELD_PID] = {BPF_FILTER_PID, 0, 0},
	[FIELD_CPU] = {BPF_FILTER_CPU, 0, 0},
	[FIELD_TIME] = {BPF_FILTER_TIME, 0, 0},
	[FIELD_ADDR] = {BPF_FILTER_ADDR, 0, 0},
	[FIELD_PERIOD] = {BPF_FILTER_PERIOD, 0, 0},
	[FIELD_TXN] = {BPF_FILTER_TXN, 0, 0},
	[FIELD_WEIGHT1] = {BPF_FILTER_WEIGHT, 0, 0},
	[FIELD_WEIGHT2] = {BPF_FILTER_WEIGHT, 32, 16},
	[FIELD_WEIGHT3] = {BPF_FILTER_WEIGHT, 48, 16},
	[FIELD_PHYS_ADDR] = {BPF_FILTER_PHYS_ADDR, 0, 0},
	[FIELD_CODE_PAGE] = {BPF_FILTER_CODE_PAGE, 0, 0},
	[FIELD_DATA_PAGE] = {BPF_FILTER_DATA_PAGE, 0, 0},
	[FIELD_DATA_SRC] = {BPF_FILTER_DATA_SRC, 0, 0},
	[FIELD_CGROUP] = {BPF_FILTER_CGROUP, 0, 0},
	[FIELD_UID] = {BPF_FILTER_UID, 0, 0},
	[FIELD_GID] = {BPF_FILTER_GID, 0, 0},
};

static const uint8_t operators[] = {
	[SAMPLE_EQ] = BPF_FILTER_EQ,   [SAMPLE_NE] = BPF_FILTER_NE, [SAMPLE_GT] = BPF_FILTER_GT,
	[SAMPLE_GE] = BPF_FILTER_GE,   [SAMPLE_LT] = BPF_FILTER_LT, [SAMPLE_LE] = BPF_FILTER_LE,
	[SAMPLE_AND] = BPF_FILTER_AND,
};

int sample_filter_program(const struct event *ev, struct err *err)
{
	const struct sample_filter *f = ev->sample_filter;
	VEC(struct bpf_filter_term) terms = {0};
	int fd;

	for (size_t i = 0; i < f->n; i++) {
		const struct sample_term *t = &f->at[i];
		const struct source *s = &sources[t->field];
		struct bpf_filter_term out = {.value = t->value,
					      .any = t->any,
					      .field = s->field,
					      .op = operators[t->op],
					      .shift = s->shift,
					      .width = s->width};

		if (t->field == FIELD_DATA_SRC) {
			out.shift = t->shift;
			out.width = t->width;
		} else if (t->field == FIELD_WEIGHT1 &&
			   ev->attr.sample_type & SAMPLE_WEIGHT_STRUCT) {
			out.width = 32;
		}
		vec_add(&terms, out);
	}
	fd = bpf_filter_new(terms.at, terms.n, err);
	vec_release(&terms);
	return fd;
}
#else
int sample_filter_program(const struct event *ev, struct err *err)
{
	err_set(err, ERR_UNSUPPORTED,
		"this perf was built without BPF: no filter over the samples of '%s'", ev->name);
	return err_hint(err, "clang, bpftool and libbpf-dev have to be there when perf is built.");
}
#endif
