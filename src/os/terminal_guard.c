// SPDX-License-Identifier: MIT
#include "os/terminal.h"

#include <string.h>
#include <unistd.h>

struct terminal_restored {
	int fd;
	const struct termios *before;
	const char *goodbye;
};

static void terminal_restore(void *ctx)
{
	const struct terminal_restored *r = ctx;
	ssize_t n = write(r->fd, r->goodbye, strlen(r->goodbye));

	tcsetattr(r->fd, TCSADRAIN, r->before);
	_exit(n < 0);
}

void terminal_guard_begin(struct guard *g, int fd, const struct termios *before,
			  const char *goodbye)
{
	struct terminal_restored r = {fd, before, goodbye};

	*g = (struct guard){.fd = -1};
	if (terminal_is(fd))
		guard_begin(g, false, terminal_restore, &r);
}
