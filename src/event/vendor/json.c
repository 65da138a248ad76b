// SPDX-License-Identifier: MIT
#include "event/vendor/json.h"

#include "base/buf.h"
#include "os/files/text.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

json_t *json_file(const char *path, struct err *err)
{
	AUTO_BUF text = {0};
	json_error_t why;
	json_t *root;

	if (text_read(NULL, path, JSON_FILE_MOST, &text)) {
		err_sys(err, errno, "cannot read '%s'", path);
		return NULL;
	}
	root = json_loadb(text.at ? text.at : "", text.n, 0, &why);
	if (!root) {
		err_set(err, ERR_INPUT, "'%s' line %d: %s", path, why.line, why.text);
		err_hint(err, "the file is damaged, or no JSON");
	}
	return root;
}

const char *json_text(const json_t *object, const char *key, struct arena *arena)
{
	const json_t *value = json_object_get(object, key);
	const char *s;
	char *text;
	size_t n;

	if (json_is_integer(value))
		return arena_printf(arena, "%lld", (long long)json_integer_value(value));
	if (!json_is_string(value))
		return "";
	s = json_string_value(value);
	s += strspn(s, " \t\r\n");
	n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (!n || (n == 4 && !memcmp(s, "null", 4)))
		return "";
	text = arena_strndup(arena, s, n);
	for (char *p = text; *p; p++) /* a terminal would obey these */
		if (iscntrl((unsigned char)*p) && *p != '\n')
			*p = ' ';
	return text;
}

const char *json_text_or_null(const json_t *object, const char *key, struct arena *arena)
{
	const char *text = json_text(object, key, arena);

	return *text ? text : NULL;
}

uint64_t json_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_integer(value))
		return (uint64_t)json_integer_value(value);
	return json_is_string(value) ? strtoull(json_string_value(value), NULL, 0) : 0;
}
