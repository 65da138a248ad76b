// SPDX-License-Identifier: MIT
#include "cmd/buildid/store_rows.h"

#include <stdio.h>
#include <string.h>

static void row(struct buf *out, const char *id, const char *path)
{
	buf_str(out, id);
	buf_char(out, ' ');
	buf_safe(out, path);
	buf_char(out, '\n');
}

size_t store_tell_refused(const char *dir, const struct store_list *list)
{
	AUTO_BUF text = {0};

	for (size_t i = 0; i < list->refused.n; i++) {
		buf_str(&text, "perf: left alone, leads to no entry of the store: ");
		buf_safe(&text, dir);
		buf_char(&text, '/');
		buf_safe(&text, list->refused.at[i]);
		buf_char(&text, '\n');
	}
	fputs(buf_text(&text), stderr);
	return list->refused.n;
}

int store_show(const char *dir, struct buf *out, struct err *err)
{
	struct store_list list;
	int failed = store_list_all(dir, &list, err);

	for (size_t i = 0; i < list.entries.n; i++)
		row(out, list.entries.at[i].id, list.entries.at[i].path);
	store_tell_refused(dir, &list);
	store_list_release(&list);
	return failed;
}

int store_show_missing(const char *dir, const struct input_opts *input, struct out *out,
		       struct err *err)
{
	AUTO(recording) *rec = input_open_recording(input, out, err);

	if (!rec)
		return -1;
	for (size_t i = 0; i < rec->build_ids.n; i++) {
		const struct build_id_entry *e = &rec->build_ids.at[i];
		struct build_id id = {.size = MIN(e->size, sizeof(id.bytes))};
		char text[41];

		memcpy(id.bytes, e->id, id.size);
		if (!id.size || store_has(dir, &id))
			continue;
		build_id_text(&id, text);
		row(&out->buf, text, e->filename);
	}
	return 0;
}
