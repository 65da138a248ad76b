// SPDX-License-Identifier: MIT
#include "os/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int channel_open(const char *path)
{
	/* Also for writing: without a writer a pipe would be at its end at once. */
	return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

int channel_adopt(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

bool channel_read(int fd, struct buf *out)
{
	for (;;) {
		ssize_t n;

		buf_reserve(out, 512);
		n = read(fd, out->at + out->n, out->cap - out->n);
		if (n > 0) {
			out->n += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		return n < 0 && errno == EAGAIN;
	}
}

void channel_write(int fd, const char *text)
{
	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		return; /* nobody listens */
}
