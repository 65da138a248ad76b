// SPDX-License-Identifier: MIT
#include "os/machine/host.h"

#include "os/machine/cpus.h"
#include "os/proc/proc.h"
#include "os/files/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

void host_release(struct host *h)
{
	for (size_t i = 0; i < h->memory.n; i++)
		vec_release(&h->memory.at[i].bits);
	vec_release(&h->packages);
	vec_release(&h->dies);
	vec_release(&h->cores);
	vec_release(&h->cpus);
	vec_release(&h->nodes);
	vec_release(&h->caches);
	vec_release(&h->pmus);
	vec_release(&h->memory);
	arena_release(&h->arena);
}

static const char *line(struct host *h, const char *dir, const char *name)
{
	return text_line(dir, name, &h->arena);
}

static uint32_t host_number(struct host *h, const char *dir, const char *name)
{
	const char *s = line(h, dir, name);

	return s ? (uint32_t)strtoul(s, NULL, 10) : 0;
}

/* The value of "name : value" in a text of such lines. */
static const char *host_value_of(struct host *h, const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : p) {
		const char *v = p + n;

		if (strncmp(p, name, n))
			continue;
		while (*v == ' ' || *v == '\t')
			v++;
		if (*v++ != ':')
			continue;
		while (*v == ' ' || *v == '\t')
			v++;
		return arena_strndup(&h->arena, v, strcspn(v, "\n"));
	}
	return NULL;
}

/* What the CPUID instruction says of the maker and the model. False on other machines. */
struct cpu_model {
	char vendor[13];
	unsigned int family, model, stepping;
};

static bool cpu_model(struct cpu_model *m)
{
#ifdef __x86_64__
	unsigned int a, b, c, d;

	*m = (struct cpu_model){0};
	if (__get_cpuid(0, &a, &b, &c, &d)) {
		memcpy(m->vendor, &b, 4);
		memcpy(m->vendor + 4, &d, 4);
		memcpy(m->vendor + 8, &c, 4);
	}
	if (!__get_cpuid(1, &a, &b, &c, &d))
		return false;
	m->family = a >> 8 & 0xf;
	m->model = a >> 4 & 0xf;
	m->stepping = a & 0xf;
	if (m->family >= 6)
		m->model |= (a >> 16 & 0xf) << 4;
	if (m->family == 0xf)
		m->family += a >> 20 & 0xff;
	return true;
#else
	(void)m;
	return false;
#endif
}

bool host_is_amd(void)
{
	struct cpu_model m;

	return cpu_model(&m) && !strcmp(m.vendor, "AuthenticAMD");
}

/* The revision of a CPU does not change its events. */
#define MIDR_VARIANT_REVISION 0xf0000full

const char *host_cpuid_of_lists(const char *sys_root, struct arena *arena)
{
	const char *given = getenv("PERF_CPUID"), *midr;
	struct cpu_model m;

	if (given)
		return arena_strdup(arena, given);
	if (cpu_model(&m))
		return arena_printf(arena, "%s-%u-%X-%X", m.vendor, m.family, m.model, m.stepping);
	midr = text_line(sys_root, "devices/system/cpu/cpu0/regs/identification/midr_el1", arena);
	if (midr)
		return arena_printf(arena, "0x%016llx",
				    strtoull(midr, NULL, 16) & ~MIDR_VARIANT_REVISION);
	return "";
}

static void processor(struct host *h, const char *proc_root)
{
	static const char *const names[] = {"model name", "Processor", "cpu", "Hardware"};
	AUTO_CHAR *path = mem_printf("%s/cpuinfo", proc_root);
	struct cpu_model m;
	char text[8192];

	/* Each CPU has a paragraph: the first says it all. */
	if (!proc_head(path, text, sizeof(text)))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !h->cpudesc; i++)
		h->cpudesc = host_value_of(h, text, names[i]);
	if (cpu_model(&m))
		h->cpuid = arena_printf(&h->arena, "%s,%u,%u,%u", m.vendor, m.family, m.model,
					m.stepping);
}

#define ADD_LIST(list, text)                                                                       \
	do {                                                                                       \
		const char *s_ = (text);                                                           \
		size_t i_ = 0;                                                                     \
                                                                                                   \
		while (s_ && i_ < (list)->n && strcmp((list)->at[i_], s_))                         \
			i_++;                                                                      \
		if (s_ && i_ == (list)->n)                                                         \
			vec_add(list, s_);                                                         \
	} while (0)

static void caches_of(struct host *h, const char *dir)
{
	for (int i = 0; i < 10; i++) {
		AUTO_CHAR *at = mem_printf("%s/cache/index%d", dir, i);
		const char *level = line(h, at, "level");
		struct host_cache c;
		bool known = false;

		if (!level)
			return;
		c = (struct host_cache){.level = (uint32_t)strtoul(level, NULL, 10),
					.line_size = host_number(h, at, "coherency_line_size"),
					.sets = host_number(h, at, "number_of_sets"),
					.ways = host_number(h, at, "ways_of_associativity"),
					.type = line(h, at, "type"),
					.size = line(h, at, "size"),
					.cpus = line(h, at, "shared_cpu_list")};
		if (!c.type || !c.size || !c.cpus)
			continue;
		for (size_t k = 0; k < h->caches.n && !known; k++)
			known = h->caches.at[k].level == c.level &&
				!strcmp(h->caches.at[k].type, c.type) &&
				!strcmp(h->caches.at[k].cpus, c.cpus);
		if (!known)
			vec_add(&h->caches, c);
	}
}

static void topology(struct host *h, const char *sys_root)
{
	for (uint32_t cpu = 0; cpu < h->cpus_possible; cpu++) {
		AUTO_CHAR *dir = mem_printf("%s/devices/system/cpu/cpu%u", sys_root, cpu);
		AUTO_CHAR *topo = mem_printf("%s/topology", dir);
		const char *package = line(h, topo, "package_cpus_list");
		const char *core = line(h, topo, "core_cpus_list");

		ADD_LIST(&h->packages, package ? package : line(h, topo, "core_siblings_list"));
		ADD_LIST(&h->dies, line(h, topo, "die_cpus_list"));
		ADD_LIST(&h->cores, core ? core : line(h, topo, "thread_siblings_list"));
		vec_add(&h->cpus, (struct host_cpu){host_number(h, topo, "core_id"),
						    host_number(h, topo, "physical_package_id"),
						    host_number(h, topo, "die_id")});
		caches_of(h, dir);
	}
	/* By level; the order of CPUs stays within each. */
	for (size_t i = 1; i < h->caches.n; i++)
		for (size_t k = i; k && h->caches.at[k - 1].level > h->caches.at[k].level; k--) {
			struct host_cache t = h->caches.at[k];

			h->caches.at[k] = h->caches.at[k - 1];
			h->caches.at[k - 1] = t;
		}
}

static uint64_t kilobytes(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	return p ? strtoull(p + strlen(name), NULL, 10) : 0;
}

static void memory_of(struct host *h, const char *dir, uint32_t node)
{
	struct names names = {0};
	struct host_memory m = {.node = node};

	if (text_names(dir, NULL, false, false, &h->arena, &names))
		return;
	for (size_t i = 0; i < names.n; i++) {
		char *end;
		uint64_t bit;

		if (strncmp(names.at[i], "memory", 6))
			continue;
		bit = strtoull(names.at[i] + 6, &end, 10);
		if (end == names.at[i] + 6 || *end || bit > 1u << 24)
			continue;
		if (bit >= m.n_bits)
			m.n_bits = bit + 1;
		while (m.bits.n <= bit / 64)
			vec_add(&m.bits, 0);
		m.bits.at[bit / 64] |= 1ull << bit % 64;
	}
	vec_release(&names);
	vec_add(&h->memory, m);
}

static void host_nodes(struct host *h, const char *sys_root)
{
	AUTO_CHAR *dir = mem_printf("%s/devices/system/node", sys_root);
	const char *block = NULL, *online = line(h, dir, "online");
	AUTO_CHAR *memory = mem_printf("%s/devices/system/memory", sys_root);
	struct cpu_list list = {0};

	if (!online || cpus_parse(online, &list))
		return;
	block = line(h, memory, "block_size_bytes");
	h->memory_block = block ? strtoull(block, NULL, 16) : 0;
	for (size_t i = 0; i < list.n; i++) {
		AUTO_CHAR *at = mem_printf("%s/node%d", dir, list.at[i]);
		const char *cpus = line(h, at, "cpulist");
		struct buf text = {0};

		if (!text_read(at, "meminfo", 65536, &text) && cpus)
			vec_add(&h->nodes,
				(struct host_node){(uint32_t)list.at[i],
						   kilobytes(buf_text(&text), "MemTotal:"),
						   kilobytes(buf_text(&text), "MemFree:"), cpus});
		buf_release(&text);
		if (h->memory_block)
			memory_of(h, at, (uint32_t)list.at[i]);
	}
	vec_release(&list);
}

static void pmus(struct host *h, const char *sys_root)
{
	AUTO_CHAR *dir = mem_printf("%s/bus/event_source/devices", sys_root);
	struct names names = {0};

	if (text_names(dir, NULL, false, false, &h->arena, &names))
		return;
	for (size_t i = 0; i < names.n; i++) {
		AUTO_CHAR *at = mem_printf("%s/%s", dir, names.at[i]);
		const char *type = line(h, at, "type");

		if (type)
			vec_add(&h->pmus, (struct host_pmu){(uint32_t)strtoul(type, NULL, 10),
							    names.at[i]});
	}
	vec_release(&names);
}

uint64_t host_memory(const char *proc_root)
{
	AUTO_CHAR *path = mem_printf("%s/meminfo", proc_root);
	char text[4096];

	return proc_head(path, text, sizeof(text)) ? kilobytes(text, "MemTotal:") << 10 : 0;
}

void host_read(struct host *h, const char *proc_root, const char *sys_root)
{
	struct cpu_list online = {0};
	struct utsname u;
	char text[4096], path[256];

	*h = (struct host){0};
	if (!uname(&u)) {
		h->hostname = arena_strdup(&h->arena, u.nodename);
		h->osrelease = arena_strdup(&h->arena, u.release);
		h->arch = arena_strdup(&h->arena, u.machine);
	}
	if (!cpus_online(sys_root, &online))
		h->cpus_online = (uint32_t)online.n;
	vec_release(&online);
	h->cpus_possible = (uint32_t)cpus_possible(sys_root);
	processor(h, proc_root);
	snprintf(path, sizeof(path), "%s/meminfo", proc_root);
	if (proc_head(path, text, sizeof(text)))
		h->memory_kb = kilobytes(text, "MemTotal:");
	topology(h, sys_root);
	host_nodes(h, sys_root);
	pmus(h, sys_root);
}

uint32_t host_kernel_build_id(const char *sys_root, const char *module, uint8_t id[20])
{
	AUTO_CHAR *path =
		module ? mem_printf("%s/module/%s/notes/.note.gnu.build-id", sys_root, module)
		       : mem_printf("%s/kernel/notes", sys_root);
	size_t n = 0, at = 0;
	AUTO_CHAR *notes = proc_file(path, &n);

	/* { name size, descriptor size, type, name, descriptor }, parts padded to 4; type 3 is the
	 * build-id. */
	while (notes && at + 12 <= n) {
		uint32_t h[3];
		size_t name, desc;

		memcpy(h, notes + at, sizeof(h));
		name = at + 12;
		desc = name + ((h[0] + 3ull) & ~3ull);
		if (desc < name || desc + h[1] > n)
			break;
		if (h[2] == 3 && h[0] == 4 && !memcmp(notes + name, "GNU", 4) && h[1] &&
		    h[1] <= 20) {
			memcpy(id, notes + desc, h[1]);
			return h[1];
		}
		at = desc + ((h[1] + 3ull) & ~3ull);
	}
	return 0;
}

/* "  01000000-02276507 : Kernel code": readable as root only; 0 when it isn't. */
static uint64_t kernel_code_size(const char *proc_root)
{
	AUTO_CHAR *path = mem_printf("%s/iomem", proc_root);
	AUTO_CHAR *text = proc_file(path, NULL);
	const char *p = text ? strstr(text, " : Kernel code") : NULL;
	uint64_t first, last;
	char *end;

	if (!p)
		return 0;
	while (p > text && p[-1] != '\n')
		p--;
	first = strtoull(p, &end, 16);
	last = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;
	return last > first ? last - first + 1 : 0;
}

/* "ffffffff81000000 T _text": takes _text and _stext. Returns the line's address. */
static uint64_t symbol_line(const char *p, struct host_kernel *k)
{
	char *end;
	uint64_t v = strtoull(p, &end, 16);

	if (end == p || *end != ' ' || !end[1] || end[2] != ' ')
		return 0;
	if (!strcmp(end + 3, "_text"))
		k->text = v;
	else if (!strcmp(end + 3, "_stext"))
		k->stext = v;
	return v;
}

bool host_kernel_start(const char *proc_root, struct host_kernel *k)
{
	AUTO_CHAR *path = mem_printf("%s/kallsyms", proc_root);
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[16384];
	size_t n = 0, read_in = 0;
	unsigned int beyond = 0;
	uint64_t any = 0;
	ssize_t got;

	*k = (struct host_kernel){0};
	/*
	 * Both stand near the beginning: behind the per-CPU symbols where there are any. aarch64
	 * lists no _text before 6.2: so not much is read beyond _stext.
	 */
	while (fd >= 0 && !(k->text && k->stext) && beyond < 3 && read_in < 1u << 20 &&
	       (got = read(fd, text + n, sizeof(text) - 1 - n)) > 0) {
		char *p = text, *end;

		beyond += k->stext != 0;

		n += (size_t)got;
		read_in += (size_t)got;
		text[n] = 0;
		while ((end = memchr(p, '\n', n - (size_t)(p - text)))) {
			*end = 0;
			any |= symbol_line(p, k);
			p = end + 1;
		}
		n -= (size_t)(p - text);
		memmove(text, p, n);
		if (n == sizeof(text) - 1 || !any) /* no lines, or all addresses hidden */
			break;
	}
	k->reference = k->text ? "_text" : "_stext";
	if (!k->text)
		k->text = k->stext;
	return k->text != 0;
}

bool host_kernel_text(const char *proc_root, struct host_kernel *k)
{
	bool known = host_kernel_start(proc_root, k);
	uint64_t size = known ? kernel_code_size(proc_root) : 0;

	/* "Kernel code" of /proc/iomem begins at _stext, which on x86 is the address of _text. */
	if (size)
		k->etext = (k->stext ? k->stext : k->text) + size;
	return known;
}

static int64_t clock_now(clockid_t id)
{
	struct timespec t = {0};

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct host_clocks host_clocks_now(void)
{
	return (struct host_clocks){.wall = clock_now(CLOCK_REALTIME),
				    .monotonic = clock_now(CLOCK_MONOTONIC),
				    .boot = clock_now(CLOCK_BOOTTIME)};
}

bool host_is_named(const char *hostname)
{
	struct utsname u;

	return !uname(&u) && !strcmp(u.nodename, hostname);
}

bool host_runs(const char *osrelease)
{
	struct utsname u;

	return !uname(&u) && !strcmp(u.release, osrelease);
}
