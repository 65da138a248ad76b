// SPDX-License-Identifier: MIT
#include "thread_name.h"

#include "places.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

RARE void thread_name_read(uint32_t tid, char comm[16])
{
	char path[64] = "/proc/self/task/", digits[12];
	int n = 0, at = 16, fd;
	ssize_t got;

	do
		digits[n++] = (char)('0' + tid % 10);
	while (tid /= 10);
	while (n)
		path[at++] = digits[--n];
	strcpy(path + at, "/comm");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	got = read(fd, comm, 15);
	close(fd);
	comm[got > 0 ? got : 0] = 0;
	comm[strcspn(comm, "\n")] = 0;
}
