// SPDX-License-Identifier: MIT
#include "os/machine/schedstat.h"

#include "os/rights/rights.h"
#include "os/files/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST (64u << 20)
#define MASK_MOST 4096 /* characters; the kernel's longest is 2304, for 8192 CPUs */

size_t schedstat_domain_values(uint32_t version)
{
	return version == 15 || version == 16 ? 36 : version == 17 ? 45 : 0;
}

/* Reads a number, blanks before it included. */
static bool take_number(const char **at, uint64_t *v)
{
	char *end;

	while (**at == ' ')
		++*at;
	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*v = strtoull(*at, &end, 10);
	*at = end;
	return !errno;
}

static bool take_numbers(const char *at, uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!take_number(&at, &values[i]))
			return false;
	while (*at == ' ')
		at++;
	return !*at;
}

static const char *take_word(const char **at, struct arena *arena)
{
	const char *begin = *at + strspn(*at, " ");
	const size_t n = strcspn(begin, " ");

	*at = begin + n;
	return n && n < MASK_MOST ? arena_strndup(arena, begin, n) : NULL;
}

static void list_add(struct buf *out, unsigned int from, unsigned int to)
{
	buf_printf(out, from == to ? "%s%u" : "%s%u-%u", out->n ? "," : "", from, to);
}

/* Formats a mask of CPUs in hex, "f" or "00000000,0000000f", as a list. NULL: it is none. */
static const char *mask_list(const char *mask, struct arena *arena)
{
	AUTO_BUF list = {0};
	unsigned int cpu = 0, from = 0;
	bool open = false;

	for (size_t i = strlen(mask); i--;) {
		const char c = mask[i];
		unsigned int digit;

		if (c == ',')
			continue;
		if (!isxdigit((unsigned char)c))
			return NULL;
		digit = isdigit((unsigned char)c) ? (unsigned int)(c - '0')
						  : (unsigned int)((c | 32) - 'a' + 10);
		for (unsigned int bit = 0; bit < 4; bit++, cpu++) {
			const bool set = digit >> bit & 1;

			if (set && !open)
				from = cpu;
			if (!set && open)
				list_add(&list, from, cpu - 1);
			open = set;
		}
	}
	if (open)
		list_add(&list, from, cpu - 1);
	return arena_strdup(arena, buf_text(&list));
}

static bool take_cpu(struct schedstat *s, const char *at)
{
	struct schedstat_row row = {.domain = -1};
	uint64_t cpu;

	if (!take_number(&at, &cpu) || cpu > INT32_MAX ||
	    !take_numbers(at, row.values, SCHEDSTAT_CPU_VALUES))
		return false;
	row.cpu = (uint32_t)cpu;
	vec_add(&s->rows, row);
	return true;
}

static bool take_domain(struct schedstat *s, const char *at)
{
	struct schedstat_row row = {0};
	struct schedstat_domain d = {0};
	uint64_t number;

	if (!s->rows.n || !take_number(&at, &number) || number > UINT16_MAX)
		return false;
	row.cpu = d.cpu = vec_last(&s->rows)->cpu;
	row.domain = (int)number;
	d.domain = (uint32_t)number;
	if (s->version >= 17)
		d.name = take_word(&at, &s->arena);
	d.mask = take_word(&at, &s->arena);
	d.list = d.mask ? mask_list(d.mask, &s->arena) : NULL;
	if (!d.list || (s->version >= 17 && !d.name) ||
	    !take_numbers(at, row.values, schedstat_domain_values(s->version)))
		return false;
	vec_add(&s->rows, row);
	vec_add(&s->domains, d);
	return true;
}

static int schedstat_take_line(struct schedstat *s, const char *line, const char *path,
			       struct err *err)
{
	bool good = true;
	uint64_t v;

	if (!strncmp(line, "version ", 8)) {
		const char *at = line + 8;

		if (!take_number(&at, &v) || v > UINT32_MAX ||
		    !schedstat_domain_values((uint32_t)v))
			return err_set(err, ERR_UNSUPPORTED, "Unsupported %s version: %s", path,
				       line + 8);
		s->version = (uint32_t)v;
	} else if (!strncmp(line, "timestamp ", 10)) {
		good = take_numbers(line + 10, &s->jiffies, 1);
	} else if (!s->version) {
		good = false;
	} else if (!strncmp(line, "cpu", 3)) {
		good = take_cpu(s, line + 3);
	} else if (!strncmp(line, "domain", 6)) {
		good = take_domain(s, line + 6);
	}
	if (!good)
		return err_set(err, ERR_UNSUPPORTED, "%s has a line that is not known: '%.60s'",
			       path, line);
	return 0;
}

int schedstat_read(struct schedstat *s, const char *proc_root, struct err *err)
{
	AUTO_CHAR *path = mem_printf("%s/schedstat", proc_root);
	AUTO_BUF text = {0};
	char *line, *rest;

	if (text_read(NULL, path, FILE_MOST, &text)) {
		err_sys(err, errno, "Failed to open %s", path);
		return errno == ENOENT ? err_hint(err, "Possibly CONFIG_SCHEDSTATS is disabled.")
				       : -1;
	}
	buf_char(&text, 0);
	for (line = strtok_r(text.at, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (schedstat_take_line(s, line, path, err))
			return -1;
	if (!s->rows.n)
		return err_set(err, ERR_UNSUPPORTED, "%s names no CPU", path);
	return 0;
}

void schedstat_release(struct schedstat *s)
{
	vec_release(&s->rows);
	vec_release(&s->domains);
	arena_release(&s->arena);
}

static int write_switch(const char *proc_root, char value, struct err *err)
{
	AUTO_CHAR *path = mem_printf("%s/sys/kernel/sched_schedstats", proc_root);
	AUTO_FD fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, &value, 1) != 1)
		return err_sys(err, errno, "cannot turn the scheduler's statistics %s in %s",
			       value == '1' ? "on" : "off", path);
	return 0;
}

int schedstat_switch_on(const char *proc_root, bool *changed, struct err *err)
{
	*changed = false;
	if (rights_sysctl(proc_root, "sched_schedstats", 1) != 0)
		return 0;
	if (write_switch(proc_root, '1', err))
		return err_hint(err, "root: sysctl kernel.sched_schedstats=1");
	*changed = true;
	return 0;
}

int schedstat_switch_off(const char *proc_root, struct err *err)
{
	return write_switch(proc_root, '0', err);
}
