// SPDX-License-Identifier: MIT
/* Mapped files that were cut short: the SIGBUS handler puts zeros where their pages were. */
#include "os/files/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* /proc/self/maps, a character at a time. */
struct maps_text {
	int fd;
	size_t at, n;
	char bytes[1024];
};

static int next_char(struct maps_text *t)
{
	if (t->at == t->n) {
		ssize_t got = read(t->fd, t->bytes, sizeof(t->bytes));

		if (got <= 0)
			return -1;
		t->at = 0;
		t->n = (size_t)got;
	}
	return (unsigned char)t->bytes[t->at++];
}

/* *after: the character behind the number. */
static uintptr_t next_hex(struct maps_text *t, int *after)
{
	uintptr_t v = 0;

	for (;;) {
		int c = *after = next_char(t);

		if (c >= '0' && c <= '9')
			v = v << 4 | (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uintptr_t)(c - 'a' + 10);
		else
			return v;
	}
}

/* The end of the read-only mapping of a file that holds the address; 0: there is none. */
static uintptr_t mapping_end(struct maps_text *t, uintptr_t address)
{
	for (;;) {
		int after;
		uintptr_t start = next_hex(t, &after), end = after == '-' ? next_hex(t, &after) : 0;
		bool only_read = next_char(t) == 'r' && next_char(t) == '-' && next_char(t) == '-';

		if (start <= address && address < end)
			return only_read ? end : 0;
		while (after != '\n') {
			after = next_char(t);
			if (after < 0)
				return 0;
		}
	}
}

/* Maps zeros from the page that holds the address to the end of its mapping. */
static bool put_zeros(uintptr_t address)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = address & ~(page - 1);
	struct maps_text text = {.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
	uintptr_t end;

	if (text.fd < 0)
		return false;
	end = mapping_end(&text, address);
	close(text.fd);
	return end &&
	       mmap((void *)from, end - from, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	/* any other fault repeats on return, and then ends the program */
	if (info->si_code != BUS_ADRERR || !put_zeros((uintptr_t)info->si_addr))
		signal(sig, SIG_DFL);
	errno = saved;
}

void mapped_survive_cuts(void)
{
	struct sigaction how = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigemptyset(&how.sa_mask);
	sigaction(SIGBUS, &how, NULL);
}
