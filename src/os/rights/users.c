// SPDX-License-Identifier: MIT
#include "os/rights/users.h"

#ifdef PERF_STATIC

#include "os/files/text.h"

#include <stdlib.h>
#include <string.h>

#define PASSWD_MOST (16 << 20)

bool users_find(const char *name, uid_t *uid)
{
	AUTO_BUF text = {0};
	size_t len = strlen(name);

	if (text_read("/etc", "passwd", PASSWD_MOST, &text))
		return false;
	/* NAME:PASSWORD:UID:... */
	for (const char *p = buf_text(&text); p; p = strchr(p, '\n')) {
		char *end;

		p += *p == '\n';
		if (strncmp(p, name, len) || p[len] != ':' || !(p = strchr(p + len + 1, ':')))
			continue;
		*uid = (uid_t)strtoul(p + 1, &end, 10);
		return end > p + 1 && *end == ':';
	}
	return false;
}

#else

#include <pwd.h>

bool users_find(const char *name, uid_t *uid)
{
	struct passwd *pw = getpwnam(name);

	if (pw)
		*uid = pw->pw_uid;
	return pw;
}

#endif
