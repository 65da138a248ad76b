// SPDX-License-Identifier: MIT
#include "cmd/options/words/pair_words.h"

#include "analysis/event_pair.h"
#include "os/process/attend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *measured_file(const char *exec, char *const *argv, const char *pids, struct err *err)
{
	int pid;
	char rest;

	if (exec || (argv && *argv)) {
		char *path = realpath(exec ? exec : "", NULL);

		return path ? path : program_path(exec ? exec : argv[0], err);
	}
	if (pids && sscanf(pids, "%d%c", &pid, &rest) >= 1 && pid > 0)
		return program_path_of(pid, err);
	err_set(err, ERR_USAGE, "whose functions? '-x FILE' names the program or library");
	return NULL;
}

const char *pair_event_word(const struct sdt_markers *markers, const char *file, const char *name,
			    struct arena *arena)
{
	const char *marker = event_marker_name(name);
	const size_t provider = strcspn(marker, ":");

	for (size_t i = 0; i < markers->n && marker[provider]; i++)
		if (!strncmp(markers->at[i].provider, marker, provider) &&
		    !markers->at[i].provider[provider] &&
		    !strcmp(markers->at[i].name, marker + provider + 1))
			return arena_printf(arena, "uprobe:%s:%%sdt_%s", file, marker);
	return name;
}
