/* SPDX-License-Identifier: MIT */
/*
 * The functions of libsqlite3 that we use, loaded by sqlite_load(). Source:
 * https://www.sqlite.org/capi3ref.html.
 */
#ifndef VIEW_CONVERT_SQLITE_LIBRARY_H
#define VIEW_CONVERT_SQLITE_LIBRARY_H

#include "base/err.h"
#include "os/library.h"

#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

#define SQLITE_OK	      0
#define SQLITE_DONE	      101
#define SQLITE_OPEN_READWRITE 2
#define SQLITE_OPEN_CREATE    4
#define SQLITE_OPEN_NOMUTEX   0x8000 /* each connection is used by one thread at a time */
#define SQLITE_STATIC	      ((void (*)(void *))0) /* the text stays valid until the step */

struct sqlite {
	void *library;
	int (*open)(const char *path, sqlite3 **db, int flags, const char *vfs);
	int (*close)(sqlite3 *db);
	int (*exec)(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
		    void *ctx, char **message);
	int (*prepare)(sqlite3 *db, const char *sql, int n, sqlite3_stmt **s, const char **tail);
	int (*finalize)(sqlite3_stmt *s);
	int (*step)(sqlite3_stmt *s);
	int (*reset)(sqlite3_stmt *s);
	int (*bind_number)(sqlite3_stmt *s, int column, int64_t value);
	int (*bind_text)(sqlite3_stmt *s, int column, const char *text, int n,
			 void (*release)(void *));
	const char *(*message)(sqlite3 *db);
};

/* Loads the library. 0, or -1 with *err: it is not installed. */
static inline int sqlite_load(struct sqlite *s, struct err *err)
{
	const struct library_function functions[] = {
		{"sqlite3_open_v2", &s->open},	      {"sqlite3_close", &s->close},
		{"sqlite3_exec", &s->exec},	      {"sqlite3_prepare_v2", &s->prepare},
		{"sqlite3_finalize", &s->finalize},   {"sqlite3_step", &s->step},
		{"sqlite3_reset", &s->reset},	      {"sqlite3_bind_int64", &s->bind_number},
		{"sqlite3_bind_text", &s->bind_text}, {"sqlite3_errmsg", &s->message},
	};

	s->library =
		library_open("libsqlite3.so.0", functions, sizeof(functions) / sizeof(*functions));
	if (s->library)
		return 0;
	err_set(err, ERR_UNSUPPORTED, "libsqlite3, which writes databases, %s",
		library_possible() ? "is not installed" : "is not part of this program");
	return err_hint(err, library_possible()
				     ? "the package is called libsqlite3-0 (libsqlite3.so.0)"
				     : "a perf that is not linked statically can load it");
}

#endif
