// SPDX-License-Identifier: MIT
#include "os/terminal.h"

#include <sys/ioctl.h>

int terminal_width(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}
