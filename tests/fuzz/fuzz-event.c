// SPDX-License-Identifier: MIT
/* The event language, and the names and texts made from what it gives. */
#include "driver.h"
#include "event/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event_host host = {0};
	struct event_set set = {0};
	struct buf text = {0};
	struct err err = {0};

	buf_add(&text, data, size);
	event_parse(&set, buf_text(&text), &host, &err);
	for (size_t i = 0; i < set.events.n; i++) {
		attr_name(&set.events.at[i]->attr, &text);
		attr_show(&set.events.at[i]->attr, &text);
	}
	buf_release(&text);
	event_set_release(&set);
	return 0;
}
