// SPDX-License-Identifier: MIT
#include "analysis/inject/inject.h"

#include "os/files/mapped.h"

#include <ctype.h>
#include <stdio.h>

#define MOST (64u << 20)

void known_ids_release(struct known_ids *known)
{
	intern_release(&known->paths);
	vec_release(&known->ids);
}

/* "1234abcd... PATH" */
static int parse_pair(struct known_ids *known, const char *s, const char *end, struct err *err)
{
	struct build_id id = {0};
	const char *p = s;
	uint32_t place;

	for (; end - p >= 2 && isxdigit((unsigned char)p[0]) && isxdigit((unsigned char)p[1]) &&
	       id.size < sizeof(id.bytes); p += 2) {
		char digits[3] = {p[0], p[1], 0};

		id.bytes[id.size++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	if (!id.size || p == end || *p != ' ') {
		err_set(err, ERR_USAGE, "'%.*s' is no build-id and path", (int)MIN(end - s, 200),
			s);
		return err_hint(err, "pairs are written as buildid-list prints them: a build-id, a "
				     "blank, a path");
	}
	while (p < end && *p == ' ')
		p++;
	place = intern_put(&known->paths, p, (size_t)(end - p));
	if (place == known->ids.n)
		vec_add(&known->ids, id);
	else
		known->ids.at[place] = id;
	return 0;
}

static int parse_all(struct known_ids *known, const char *s, const char *stop, char separator,
		     struct err *err)
{
	while (s < stop) {
		const char *end = memchr(s, separator, (size_t)(stop - s));

		if (!end)
			end = stop;
		while (s < end && *s == ' ')
			s++;
		if (s < end && parse_pair(known, s, end, err))
			return -1;
		s = end + 1;
	}
	return 0;
}

int known_ids_parse(struct known_ids *known, const char *text, struct err *err)
{
	static const char prefix[] = "file://";
	struct mapped file;
	int failed;

	if (strncmp(text, prefix, sizeof(prefix) - 1))
		return parse_all(known, text, text + strlen(text), ',', err);
	if (mapped_read(&file, text + sizeof(prefix) - 1, MOST, err))
		return -1;
	failed = parse_all(known, (const char *)file.p, (const char *)file.p + file.n, '\n', err);
	mapped_release(&file);
	return failed;
}
