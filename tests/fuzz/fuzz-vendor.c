// SPDX-License-Identifier: MIT
/* A vendor's file of events or metrics, and the texts of events that it leads to. */
#include "driver.h"
#include "event/parse.h"
#include "event/vendor/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct vendor_file file = {.path = "fuzz.json"};
	json_t *root = json_loadb((const char *)data, size, 0, NULL), *std = json_object();
	struct event_host host = {0};
	struct vendor v = {0};

	if (root)
		vendor_add_root(&v, root, &file, std);
	host.vendor = &v;
	for (size_t i = 0; i < v.events.n; i++) {
		struct event_set set = {0};
		AUTO_BUF text = {0};

		buf_printf(&text, "cycles/%s/", v.events.at[i].terms);
		event_parse(&set, buf_text(&text), &host, NULL);
		event_parse(&set, v.events.at[i].name, &host, NULL);
		event_set_release(&set);
	}
	json_decref(root);
	json_decref(std);
	vendor_release(&v);
	return 0;
}
