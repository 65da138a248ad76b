// SPDX-License-Identifier: MIT
#include "capture/daemon/daemon_config.h"

#include "base/buf.h"

#include <string.h>

#define NAME_MOST 200 /* bytes: the name of a file can have 255 */
#define PREFIX	  "session-"
#define SUFFIX	  ".run"

int daemon_words_split(const char *line, struct arena *arena, struct daemon_words *out,
		       struct err *err)
{
	AUTO_BUF word = {0};
	bool within = false;
	char quote = 0;

	for (const char *p = line; *p; p++) {
		if (!quote && strchr(" \t\n", *p)) {
			if (within)
				vec_add(out, arena_strdup(arena, buf_text(&word)));
			buf_clear(&word);
			within = false;
			continue;
		}
		within = true;
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else if (*p == '\\' && quote != '\'' && p[1])
			buf_char(&word, *++p);
		else
			buf_char(&word, *p);
	}
	if (quote)
		return err_set(err, ERR_INPUT, "a quote has no end in '%s'", line);
	if (within)
		vec_add(out, arena_strdup(arena, buf_text(&word)));
	return 0;
}

static int check_session(const struct daemon_wanted *s, struct err *err)
{
	struct arena arena = {0};
	struct daemon_words words = {0};
	const size_t n = strlen(s->name);
	int failed;

	if (!n || n > NAME_MOST || strchr(s->name, '/') || !text_is_safe(s->name, n))
		return err_set(err, ERR_INPUT, "no name for a session: '%s'", s->name);
	failed = daemon_words_split(s->run, &arena, &words, err);
	vec_release(&words);
	arena_release(&arena);
	return failed;
}

static struct daemon_wanted *session_find(struct daemon_config *c, const char *name)
{
	for (size_t i = 0; i < c->sessions.n; i++)
		if (!strcmp(c->sessions.at[i].name, name))
			return &c->sessions.at[i];
	vec_add(&c->sessions, (struct daemon_wanted){.name = name});
	return vec_last(&c->sessions);
}

int daemon_config_take(struct daemon_config *c, const struct config *from, struct err *err)
{
	const size_t prefix = strlen(PREFIX), suffix = strlen(SUFFIX);
	const char *base = config_find(from, "daemon.base");

	c->base = base ? arena_strdup(&c->arena, base) : NULL;
	for (size_t i = 0; i < from->vars.n; i++) {
		const char *key = from->vars.at[i].key;
		const size_t n = strlen(key);
		struct daemon_wanted *s;

		if (n < prefix + suffix || strncmp(key, PREFIX, prefix) ||
		    strcmp(key + n - suffix, SUFFIX))
			continue;
		s = session_find(c, arena_strndup(&c->arena, key + prefix, n - prefix - suffix));
		s->run = arena_strdup(&c->arena, from->vars.at[i].value);
		if (check_session(s, err))
			return -1;
	}
	return 0;
}

void daemon_config_release(struct daemon_config *c)
{
	vec_release(&c->sessions);
	arena_release(&c->arena);
	*c = (struct daemon_config){0};
}
