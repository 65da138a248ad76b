// SPDX-License-Identifier: MIT
#include "symbol/store/debuginfod.h"

#include "os/library.h"
#include "symbol/dso_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"
#define SERVERS "DEBUGINFOD_URLS"

struct debuginfod {
	void *library, *client;
	time_t end;
	void *(*begin)(void);
	void (*finish)(void *client);
	int (*find)(void *client, const unsigned char *id, int id_size, char **path);
};

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

struct debuginfod *debuginfod_open(const char *urls, unsigned int seconds, struct err *err)
{
	struct debuginfod *d;
	const char *servers;

	/* the library takes its servers only from the environment */
	if (*urls && strcmp(urls, "system"))
		setenv(SERVERS, urls, 1);
	servers = getenv(SERVERS);
	if (!servers || !*servers) {
		err_set(err, ERR_USAGE, "no debuginfod server is named");
		err_hint(err, "--debuginfod=URL, or " SERVERS " in the environment");
		return NULL;
	}
	d = NEW(struct debuginfod);
	d->end = now() + seconds;
	d->library = library_open(LIBRARY,
				  (const struct library_function[]){
					  {"debuginfod_begin", &d->begin},
					  {"debuginfod_end", &d->finish},
					  {"debuginfod_find_debuginfo", &d->find},
				  },
				  3);
	if (d->library)
		d->client = d->begin();
	if (d->client)
		return d;
	debuginfod_close(d);
	err_set(err, ERR_UNSUPPORTED, "debuginfod servers cannot be asked: '%s' does not load",
		LIBRARY);
	err_hint(err, library_possible() ? "it is part of elfutils"
					 : "a perf that is not linked statically can load it");
	return NULL;
}

void debuginfod_close(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->finish(d->client);
	library_close(d->library);
	free(d);
}

/* Sets a limit of the library to the seconds left, unless the user's own limit is smaller. */
static void limit(const char *variable, time_t left)
{
	const char *own = getenv(variable);
	char text[24];

	if (own && atol(own) > 0 && atol(own) <= left)
		return;
	snprintf(text, sizeof(text), "%lld", (long long)left);
	setenv(variable, text, 1);
}

int debuginfod_fetch(struct debuginfod *d, const char *of, const struct build_id *id,
		     struct debug_files *out, struct err *err)
{
	const time_t left = d->end - now();
	char *path = NULL;
	int fd = -ETIME;

	if (left > 0) {
		limit("DEBUGINFOD_MAXTIME", left);
		limit("DEBUGINFOD_TIMEOUT", left);
		setenv("DEBUGINFOD_RETRY_LIMIT", "0", 0); /* or each retry gets the whole time */
		fd = d->find(d->client, id->bytes, id->size, &path);
	}
	if (fd < 0)
		return err_sys(err, -fd, "cannot fetch the debug file of '%s'", of);
	close(fd);
	vec_add(&out->files, (struct debug_file){*id, arena_strdup(&out->arena, of),
						 arena_strdup(&out->arena, path)});
	free(path);
	return 0;
}

const char *debug_files_find(const struct debug_files *f, const struct build_id *id)
{
	for (size_t i = 0; f && i < f->files.n; i++)
		if (build_id_equal(&f->files.at[i].id, id))
			return f->files.at[i].path;
	return NULL;
}

void debug_files_release(struct debug_files *f)
{
	vec_release(&f->files);
	arena_release(&f->arena);
}
