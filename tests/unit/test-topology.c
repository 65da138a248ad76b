// SPDX-License-Identifier: MIT
/* How CPUs are arranged, read from the sysfs of made machines of many shapes. */
#include "folder.h"

#include "os/machine/topology.h"

#include <ftw.h>
#include <unistd.h>

/*
 * A machine all of whose CPUs are alike. CPUs are numbered as most firmware does it: the first
 * thread of each core in the order of sockets, dies, clusters; then the second ones.
 */
struct shape {
	int sockets, dies, clusters, cores, threads; /* each: how many in the one before */
	int core_step;	       /* between the kernel's numbers of cores: 1, or 4 with gaps */
	bool no_cluster, no_die; /* an old kernel lacks the files */
	const char *online;    /* NULL: all */
	int node_per_die;      /* a node for each die, else for each socket */
};

static char root[] = "/tmp/test-topology-XXXXXX";

static int drop(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static int start(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return nftw(root, drop, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_number(int cpu, const char *name, int value)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/%s", cpu, name);
	snprintf(text, sizeof(text), "%d\n", value);
	folder_put(root, path, text);
}

static void put_cache(int cpu, int index, int level, const char *type, const char *shared)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
	snprintf(text, sizeof(text), "%d\n", level);
	folder_put(root, path, text);
	snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/cache/index%d/type", cpu, index);
	folder_put(root, path, type);
	snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu,
		 index);
	folder_put(root, path, shared);
}

/* Where CPU stands in a machine of this shape. */
static struct topology_cpu place(const struct shape *s, int cpu)
{
	int cores = s->sockets * s->dies * s->clusters * s->cores;
	int core = cpu % cores;

	return (struct topology_cpu){
		.cpu = cpu,
		.core = core % (s->dies * s->clusters * s->cores) * s->core_step,
		.cluster = s->no_cluster ? -1 : core / s->cores * 8,
		.die = s->no_die ? -1 : core / (s->clusters * s->cores) % s->dies,
		.socket = core / (s->dies * s->clusters * s->cores),
		.node = s->node_per_die ? core / (s->clusters * s->cores)
					: core / (s->dies * s->clusters * s->cores),
	};
}

static int cpus_of(const struct shape *s)
{
	return s->sockets * s->dies * s->clusters * s->cores * s->threads;
}

static void build(const struct shape *s)
{
	int n = cpus_of(s), nodes = s->sockets * (s->node_per_die ? s->dies : 1);
	char text[4096];

	snprintf(text, sizeof(text), "0-%d\n", n - 1);
	folder_put(root, "devices/system/cpu/possible", text);
	folder_put(root, "devices/system/cpu/online", s->online ? s->online : text);
	for (int cpu = 0; cpu < n; cpu++) {
		struct topology_cpu at = place(s, cpu);

		put_number(cpu, "topology/core_id", at.core);
		put_number(cpu, "topology/physical_package_id", at.socket);
		if (!s->no_cluster)
			put_number(cpu, "topology/cluster_id", at.cluster);
		if (!s->no_die)
			put_number(cpu, "topology/die_id", at.die);
	}
	for (int node = 0; node < nodes; node++) {
		char path[64];
		size_t len = 0;

		for (int cpu = 0; cpu < n; cpu++)
			if (place(s, cpu).node == node)
				len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d",
							len ? "," : "", cpu);
		snprintf(path, sizeof(path), "devices/system/node/node%d/cpulist", node);
		folder_put(root, path, text);
	}
}

static void read_shape(const struct shape *s)
{
	struct topology t;

	build(s);
	topology_read(&t, root);
	assert_int_equal(t.cpus.n, cpus_of(s));
	for (int cpu = 0; cpu < cpus_of(s); cpu++) {
		struct topology_cpu want = place(s, cpu);
		const struct topology_cpu *got = topology_find(&t, cpu);

		assert_ptr_equal(got, &t.cpus.at[cpu]);
		assert_int_equal(got->cpu, cpu);
		assert_int_equal(got->core, want.core);
		assert_int_equal(got->cluster, want.cluster);
		assert_int_equal(got->die, want.die);
		assert_int_equal(got->socket, want.socket);
		assert_int_equal(got->node, want.node);
		if (!s->online)
			assert_true(got->online);
		assert_int_equal(got->caches.n, 0);
	}
	assert_null(topology_find(&t, cpus_of(s)));
	assert_null(topology_find(&t, -1));
	topology_release(&t);
	assert_int_equal(t.cpus.n, 0);
}

static void one_socket(void **state)
{
	(void)state;
	read_shape(&(struct shape){1, 1, 1, 4, 2, .core_step = 1});
}
static void no_second_threads(void **state)
{
	(void)state;
	read_shape(&(struct shape){1, 1, 1, 6, 1, .core_step = 4});
}
static void two_sockets(void **state)
{
	(void)state;
	read_shape(&(struct shape){2, 1, 1, 8, 2, .core_step = 1});
}
static void several_dies(void **state)
{
	(void)state;
	read_shape(&(struct shape){2, 4, 1, 2, 2, .core_step = 1, .node_per_die = 1});
}
static void clusters(void **state)
{
	(void)state;
	read_shape(&(struct shape){2, 2, 3, 4, 1, .core_step = 1});
}
static void many_cpus(void **state)
{
	(void)state;
	read_shape(&(struct shape){2, 8, 1, 8, 2, .core_step = 1});
}
static void an_old_kernel(void **state)
{
	(void)state;
	read_shape(
		&(struct shape){2, 1, 1, 4, 2, .core_step = 1, .no_cluster = true, .no_die = true});
}

static void offline_cpus(void **state)
{
	const struct shape s = {1, 1, 1, 4, 2, .core_step = 1, .online = "0-2,5\n"};
	struct topology t;
	char dir[128];

	(void)state;
	build(&s);
	/* the kernel takes the folder away with the CPU, and the CPU out of its node */
	snprintf(dir, sizeof(dir), "%s/devices/system/cpu/cpu7/topology", root);
	assert_int_equal(nftw(dir, drop, 16, FTW_DEPTH | FTW_PHYS), 0);
	folder_put(root, "devices/system/node/node0/cpulist", "0-2,5\n");
	topology_read(&t, root);
	assert_int_equal(t.cpus.n, 8);
	for (int cpu = 0; cpu < 8; cpu++) {
		assert_int_equal(t.cpus.at[cpu].online, cpu < 3 || cpu == 5);
		assert_int_equal(t.cpus.at[cpu].node, cpu < 3 || cpu == 5 ? 0 : -1);
	}
	assert_int_equal(topology_find(&t, 7)->core, -1);
	assert_int_equal(topology_find(&t, 7)->socket, -1);
	assert_int_equal(topology_find(&t, 6)->core, 2);
	topology_release(&t);
}

/* Two cores with two threads and a private second cache, four small cores that share theirs. */
static void hybrid(void **state)
{
	static const int core[] = {0, 0, 4, 4, 8, 9, 10, 11};
	static const int cluster[] = {0, 0, 8, 8, 16, 16, 16, 16};
	static const char *const own[] = {"0-1\n", "0-1\n", "2-3\n", "2-3\n",
					  "4\n",   "5\n",   "6\n",   "7\n"};
	static const char *const second[] = {"0-1\n", "0-1\n", "2-3\n", "2-3\n",
					     "4-7\n", "4-7\n", "4-7\n", "4-7\n"};
	static const int second_first[] = {0, 0, 2, 2, 4, 4, 4, 4};
	struct topology t;

	(void)state;
	folder_put(root, "devices/system/cpu/possible", "0-7\n");
	folder_put(root, "devices/system/cpu/online", "0-7\n");
	folder_put(root, "devices/system/node/node0/cpulist", "0-7\n");
	for (int cpu = 0; cpu < 8; cpu++) {
		put_number(cpu, "topology/core_id", core[cpu]);
		put_number(cpu, "topology/cluster_id", cluster[cpu]);
		put_number(cpu, "topology/die_id", 0);
		put_number(cpu, "topology/physical_package_id", 0);
		put_cache(cpu, 0, 1, "Data\n", own[cpu]);
		put_cache(cpu, 1, 1, "Instruction\n", own[cpu]);
		put_cache(cpu, 2, 2, "Unified\n", second[cpu]);
		put_cache(cpu, 3, 3, "Unified\n", "0-7\n");
	}
	topology_read(&t, root);
	topology_read_caches(&t, root);
	assert_int_equal(t.cpus.n, 8);
	for (int cpu = 0; cpu < 8; cpu++) {
		const struct topology_cpu *c = topology_find(&t, cpu);

		assert_int_equal(c->core, core[cpu]);
		assert_int_equal(c->cluster, cluster[cpu]);
		assert_int_equal(c->caches.n, 4);
		assert_int_equal(topology_cache_of(c, 0)->level, 3);
		assert_int_equal(topology_cache_of(c, 3)->first_cpu, 0);
		assert_int_equal(topology_cache_of(c, 2)->first_cpu, second_first[cpu]);
		assert_false(topology_cache_of(c, 1)->instructions_only);
		assert_null(topology_cache_of(c, 4));
	}
	topology_release(&t);
}

static void an_instruction_cache_is_nobodys_last(void **state)
{
	struct topology t;

	(void)state;
	folder_put(root, "devices/system/cpu/possible", "0-3\n");
	put_cache(2, 0, 1, "Data\n", "3,2\n");
	put_cache(2, 1, 2, "Instruction\n", "2\n");
	topology_read(&t, root);
	topology_read_caches(&t, root);
	assert_int_equal(topology_cache_of(topology_find(&t, 2), 0)->level, 1);
	assert_int_equal(topology_cache_of(topology_find(&t, 2), 0)->first_cpu, 2);
	assert_null(topology_cache_of(topology_find(&t, 2), 2));
	assert_null(topology_cache_of(topology_find(&t, 0), 0));
	topology_release(&t);
}

static void missing_files(void **state)
{
	struct topology t;

	(void)state;
	/* nothing at all */
	topology_read(&t, root);
	topology_read_caches(&t, root);
	assert_int_equal(t.cpus.n, 0);
	topology_release(&t);
	/* folders only: all run, for want of another word */
	put_number(11, "topology/core_id", 3);
	put_number(2, "topology/physical_package_id", 1);
	folder_put(root, "devices/system/cpu/cpufreq/boost", "1\n");
	topology_read(&t, root);
	assert_int_equal(t.cpus.n, 2);
	assert_int_equal(t.cpus.at[0].cpu, 2);
	assert_int_equal(t.cpus.at[0].socket, 1);
	assert_int_equal(t.cpus.at[0].core, -1);
	assert_int_equal(t.cpus.at[1].cpu, 11);
	assert_int_equal(t.cpus.at[1].core, 3);
	assert_int_equal(t.cpus.at[1].node, -1);
	assert_true(t.cpus.at[0].online && t.cpus.at[1].online);
	topology_release(&t);
	/* who runs is there, though nobody thought it possible */
	folder_put(root, "devices/system/cpu/possible", "0-3\n");
	folder_put(root, "devices/system/cpu/online", "1,11\n");
	topology_read(&t, root);
	assert_int_equal(t.cpus.n, 5);
	assert_int_equal(t.cpus.at[4].cpu, 11);
	assert_true(t.cpus.at[4].online && t.cpus.at[1].online);
	assert_false(t.cpus.at[2].online);
	topology_release(&t);
}

static void garbage_in_files(void **state)
{
	static const char *const junk[] = {"",	     "\n",     "x\n",	  "-1\n",
					   "3x\n",   "1 2\n",  "0x10\n",  "99999999999\n",
					   "\xff\n", "1e3\n",  "2147483648\n"};
	char path[64];
	struct topology t;

	(void)state;
	for (size_t i = 0; i < sizeof(junk) / sizeof(*junk); i++) {
		folder_put(root, "devices/system/cpu/possible", "0-1\n");
		folder_put(root, "devices/system/cpu/online", junk[i]);
		folder_put(root, "devices/system/cpu/cpu0/topology/core_id", junk[i]);
		folder_put(root, "devices/system/cpu/cpu0/topology/die_id", junk[i]);
		folder_put(root, "devices/system/cpu/cpu1/topology/core_id", "7 \n");
		folder_put(root, "devices/system/node/node0/cpulist",
			   i == 4 ? "3-1\n" : "0-1000000\n");
		snprintf(path, sizeof(path), "devices/system/node/node%s/cpulist",
			 i % 2 ? "1x" : "99999999");
		folder_put(root, path, "0-1\n");
		put_cache(0, 0, 2, "Unified\n", junk[i]);
		folder_put(root, "devices/system/cpu/cpu0/cache/index1/level", junk[i]);
		topology_read(&t, root);
		topology_read_caches(&t, root);
		assert_int_equal(topology_find(&t, 0)->core, -1);
		assert_int_equal(topology_find(&t, 0)->die, -1);
		assert_int_equal(topology_find(&t, 1)->core, 7);
		assert_int_equal(topology_find(&t, 1)->node, -1);
		assert_int_equal(topology_find(&t, 0)->caches.n, 0);
		topology_release(&t);
	}
}

/* A list of everything costs its length, not its square. */
static void the_longest_list(void **state)
{
	struct topology t;

	(void)state;
	folder_put(root, "devices/system/cpu/possible", "0-65535\n");
	folder_put(root, "devices/system/cpu/online", "0-65535,0-65535\n");
	for (int i = 0; i < 100; i++) {
		char path[64];

		snprintf(path, sizeof(path), "devices/system/node/node%d/cpulist", i);
		folder_put(root, path, "0-65535\n");
	}
	topology_read(&t, root);
	assert_int_equal(t.cpus.n, 65536);
	assert_int_equal(topology_find(&t, 65535)->cpu, 65535);
	assert_true(topology_find(&t, 65535)->node >= 0);
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_socket, start, end),
		cmocka_unit_test_setup_teardown(no_second_threads, start, end),
		cmocka_unit_test_setup_teardown(two_sockets, start, end),
		cmocka_unit_test_setup_teardown(several_dies, start, end),
		cmocka_unit_test_setup_teardown(clusters, start, end),
		cmocka_unit_test_setup_teardown(many_cpus, start, end),
		cmocka_unit_test_setup_teardown(an_old_kernel, start, end),
		cmocka_unit_test_setup_teardown(offline_cpus, start, end),
		cmocka_unit_test_setup_teardown(hybrid, start, end),
		cmocka_unit_test_setup_teardown(an_instruction_cache_is_nobodys_last, start, end),
		cmocka_unit_test_setup_teardown(missing_files, start, end),
		cmocka_unit_test_setup_teardown(garbage_in_files, start, end),
		cmocka_unit_test_setup_teardown(the_longest_list, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
