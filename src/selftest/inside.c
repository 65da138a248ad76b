// SPDX-License-Identifier: MIT
#include "selftest/selftest.h"

#include "base/mem.h"
#include "event/parse.h"
#include "symbol/demangle.h"
#include "symbol/dso.h"

#include <string.h>

static const struct {
	const char *text;
	uint32_t type;
	uint64_t config, excluded; /* flags that must be set */
} texts[] = {
	{"cycles", TYPE_HARDWARE, 0, 0},
	{"instructions:u", TYPE_HARDWARE, 1, ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV},
	{"cycles:k", TYPE_HARDWARE, 0, ATTR_EXCLUDE_USER | ATTR_EXCLUDE_HV},
	{"cpu-clock", TYPE_SOFTWARE, 0, 0},
	{"page-faults", TYPE_SOFTWARE, 2, 0},
	{"context-switches", TYPE_SOFTWARE, 3, 0},
	{"dummy", TYPE_SOFTWARE, 9, 0},
	{"L1-dcache-load-misses", TYPE_HW_CACHE, 0x10000, 0},
	{"LLC-loads", TYPE_HW_CACHE, 2, 0},
	{"branch-load-misses", TYPE_HW_CACHE, 0x10005, 0},
	{"r1a8", TYPE_RAW, 0x1a8, 0},
	{"mem:0x1000/4:w", TYPE_BREAKPOINT, 0, 0},
};

static enum selftest_verdict parse_texts(struct selftest_run *r)
{
	static const char *const wrong[] = {"no-such-event", "cycles:y", "{cycles", "mem:0x1000:q",
					    "cpu-clock/period=x/"};
	const struct event_host host = {0};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct event_set set = {0};
		struct err err = {0};
		int got = event_parse(&set, texts[i].text, &host, &err);
		struct attr a = got || !set.events.n ? (struct attr){0} : set.events.at[0]->attr;
		size_t n = set.events.n;

		selftest_say(r, "%s: type %u, config %#llx", texts[i].text, a.type,
			     (unsigned long long)a.config);
		event_set_release(&set);
		if (got)
			return selftest_fail(r, "'%s' is not understood: %s", texts[i].text,
					     err.text);
		if (n != 1 || a.type != texts[i].type || a.config != texts[i].config ||
		    (a.flags & texts[i].excluded) != texts[i].excluded)
			return selftest_fail(r, "'%s' became another event", texts[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct event_set set = {0};
		struct err err = {0};
		int got = event_parse(&set, wrong[i], &host, &err);

		event_set_release(&set);
		if (!got)
			return selftest_fail(r, "'%s' passed for an event", wrong[i]);
	}
	return SELFTEST_OK;
}

static enum selftest_verdict encode_attributes(struct selftest_run *r)
{
	struct attr a, back;
	uint8_t bytes[sizeof(a)];

	for (uint32_t size = ATTR_SIZE_VER0; size <= sizeof(a); size += 8) {
		memset(&a, 0, sizeof(a));
		a.type = TYPE_RAW;
		a.size = size;
		a.config = 0x123456789abcdef0;
		a.sample_period = 4000;
		a.sample_type = SAMPLE_IP | SAMPLE_CALLCHAIN;
		a.flags = ATTR_DISABLED | ATTR_FREQ | ATTR_BUILD_ID | 2ull << ATTR_PRECISE_SHIFT;
		a.bp_type = 3;
		attr_encode(&a, bytes);
		if (attr_decode(&back, bytes, size, false) || memcmp(&a, &back, sizeof(a)))
			return selftest_fail(r, "an attribute of %u bytes came back changed", size);
	}
	return SELFTEST_OK;
}

static enum selftest_verdict demangle_names(struct selftest_run *r)
{
	static const char *const names[][2] = {
		{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi",
		 "std::vector<int, std::allocator<int> >::push_back(int const&)"},
		{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO_CHAR *got = demangle(names[i][0], true);

		selftest_say(r, "%s: %s", names[i][0], got ? got : "(none)");
		if (!got || strcmp(got, names[i][1]))
			return selftest_fail(r, "'%s' became '%s'", names[i][0],
					     got ? got : "nothing");
	}
	return SELFTEST_OK;
}

static enum selftest_verdict read_own_build_id(struct selftest_run *r)
{
	struct build_id id;
	char text[41];

	if (build_id_of_file(r->program, &id))
		return selftest_skip(r, "this program was built without a build-id");
	build_id_text(&id, text);
	selftest_say(r, "%s %s", text, r->program);
	return id.size >= 8 ? SELFTEST_OK : selftest_fail(r, "the build-id has %u bytes", id.size);
}

const struct selftest selftests_inside[] = {
	{"Parse event definition strings", parse_texts},
	{"Attributes as the kernel takes them", encode_attributes},
	{"Demangled names", demangle_names},
	{"Build-id of this program", read_own_build_id},
	{0},
};
