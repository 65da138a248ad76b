// SPDX-License-Identifier: MIT
/*
 * The event language as a table: a row says what a text becomes. The machine is a folder of text
 * files made here. To add a case, add a row.
 */
#include "answer.h"
#include "folder.h"

#include "event/parse.h"

#include <stdio.h>
#include <sys/stat.h>

static char root[64];

static int make_machine(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test-event-parse-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	folder_put(root, "pmu/cpu/type", "4\n");
	folder_put(root, "pmu/cpu/format/event", "config:0-7\n");
	folder_put(root, "pmu/cpu/format/umask", "config:8-15\n");
	folder_put(root, "pmu/cpu/format/split", "config1:0-3,32\n");
	folder_put(root, "pmu/cpu/format/wide", "config3:0-63\n");
	folder_put(root, "pmu/cpu/events/mem-loads", "event=0xcd,umask=0x1,split=3\n");
	folder_put(root, "pmu/cpu/events/asks", "event=0x11,umask=?\n");
	folder_put(root, "pmu/cpu/events/ring", "ring\n");
	folder_put(root, "pmu/power/type", "9\n");
	folder_put(root, "pmu/power/cpumask", "0,4\n");
	folder_put(root, "pmu/power/format/event", "config:0-7\n");
	folder_put(root, "pmu/power/events/energy-psys", "event=0x05\n");
	folder_put(root, "pmu/power/events/energy-psys.unit", "Joules\n");
	folder_put(root, "pmu/power/events/energy-psys.scale", "2.5e-1\n");
	folder_put(root, "pmu/uncore_imc_0/type", "20\n");
	folder_put(root, "pmu/uncore_imc_0/format/event", "config:0-7\n");
	folder_put(root, "pmu/uncore_imc_1/type", "21\n");
	folder_put(root, "pmu/uncore_imc_1/format/event", "config:0-7\n");
	folder_put(root, "hybrid/cpu_core/type", "4\n");
	folder_put(root, "hybrid/cpu_core/cpus", "0-3\n");
	folder_put(root, "hybrid/cpu_atom/type", "10\n");
	folder_put(root, "hybrid/cpu_atom/cpus", "4-7\n");
	folder_put(root, "tracing/events/sched/sched_switch/id", "372\n");
	folder_put(root, "tracing/events/sched/sched_waking/id", "373\n");
	folder_put(root, "tracing/events/irq/irq_handler_entry/id", "225\n");
	return 0;
}

static int remove_machine(void **state)
{
	(void)state;
	return folder_remove(root);
}

/* What the events become, one a line: NAME type=T config=C [config1=..] [flags] [wishes]. */
static void describe(const struct event_set *set, struct buf *out)
{
	static const struct {
		uint64_t flag;
		const char *name;
	} flags[] = {
		{ATTR_EXCLUDE_USER, "-user"},
		{ATTR_EXCLUDE_KERNEL, "-kernel"},
		{ATTR_EXCLUDE_HV, "-hv"},
		{ATTR_EXCLUDE_HOST, "-host"},
		{ATTR_EXCLUDE_GUEST, "-guest"},
		{ATTR_EXCLUDE_IDLE, "-idle"},
		{ATTR_PINNED, "pinned"},
		{ATTR_EXCLUSIVE, "exclusive"},
		{ATTR_FREQ, "freq"},
		{ATTR_AUX_OUTPUT, "aux_output"},
	};

	buf_clear(out);
	for (size_t i = 0; i < set->events.n; i++) {
		const struct event *ev = set->events.at[i];
		const struct attr *a = &ev->attr;

		buf_printf(out, "%s%s %u:%llx", i ? "\n" : "", ev->name, a->type,
			   (unsigned long long)a->config);
		for (size_t f = 0; f < ARRAY_SIZE(flags); f++)
			if (a->flags & flags[f].flag)
				buf_printf(out, " %s", flags[f].name);
		if (attr_precise(a))
			buf_printf(out, " p%u", attr_precise(a));
		if (a->config1)
			buf_printf(out, " config1=%llx", (unsigned long long)a->config1);
		if (a->config2)
			buf_printf(out, " config2=%llx", (unsigned long long)a->config2);
		if (a->config3)
			buf_printf(out, " config3=%llx size=%u", (unsigned long long)a->config3,
				   a->size);
		if (a->bp_type)
			buf_printf(out, " bp=%u", a->bp_type);
		if (a->sample_period)
			buf_printf(out, " period=%llu", (unsigned long long)a->sample_period);
		if (a->sample_max_stack)
			buf_printf(out, " max-stack=%u", a->sample_max_stack);
		if (a->branch_sample_type)
			buf_printf(out, " branch=%llx", (unsigned long long)a->branch_sample_type);
		if (ev->leader != i)
			buf_printf(out, " leader=%u", ev->leader);
		if (ev->members > 1)
			buf_printf(out, " members=%u", ev->members);
		if (ev->group_name)
			buf_printf(out, " group=%s", ev->group_name);
		if (ev->callgraph)
			buf_printf(out, " callgraph=%d", ev->callgraph);
		if (ev->stack_dump)
			buf_printf(out, " dump=%u", ev->stack_dump);
		if (ev->max_events)
			buf_printf(out, " nr=%u", ev->max_events);
		if (ev->tool)
			buf_printf(out, " tool=%d", ev->tool);
		if (ev->probe)
			buf_printf(out, " probe=%s,%s", ev->probe->file ? ev->probe->file : "",
				   ev->probe->spec);
		if (*ev->unit)
			buf_printf(out, " unit=%s scale=%g", ev->unit, ev->scale);
		if (ev->cpus)
			buf_printf(out, " cpus=%s", ev->cpus);
		buf_printf(out, "%s%s%s%s%s%s%s%s", ev->precise_max ? " P" : "",
			   ev->leader_sampling ? " S" : "", ev->weak_group ? " W" : "",
			   ev->bpf_counter ? " b" : "", ev->no_inherit ? " no-inherit" : "",
			   ev->overwrite ? " overwrite" : "", ev->no_time ? " no-time" : "",
			   ev->percore ? " percore" : "");
	}
}

#define T_SAMPLE " -guest period=1"

static const struct {
	const char *text;
	const char *becomes; /* or, after '!', a part of the error's sentence */
} rows[] = {
	/* names */
	{"cycles", "cycles 0:0 -guest"},
	{"cpu-cycles", "cpu-cycles 0:0 -guest"},
	{"branches", "branches 0:4 -guest"},
	{"idle-cycles-backend", "idle-cycles-backend 0:8 -guest"},
	{"cs", "cs 1:3 -guest"},
	{"cgroup-switches", "cgroup-switches 1:b -guest"},
	{"bpf-output", "bpf-output 1:a -guest period=1"},
	{"duration_time", "duration_time 1:9 -guest tool=1 unit=ns scale=1"},
	{"cycles,faults", "cycles 0:0 -guest\nfaults 1:2 -guest"},
	{"cycle", "!no event is called 'cycle'; did you mean 'cycles'?"},
	{"CYCLES", "!no event is called 'CYCLES'"},
	{"", "!an event is missing"},
	{",cycles", "!an event is missing"},
	{"cycles,", "!an event is missing"},
	/* cache events, in all spellings */
	{"L1-dcache-loads", "L1-dcache-loads 3:0 -guest"},
	{"L1-dcache", "L1-dcache 3:0 -guest"},
	{"l1d-loads-misses", "l1d-loads-misses 3:10000 -guest"},
	{"L1-dcache-misses", "L1-dcache-misses 3:10000 -guest"},
	{"LLC-misses-loads", "LLC-misses-loads 3:10002 -guest"},
	{"LLC-speculative-read-misses", "LLC-speculative-read-misses 3:10202 -guest"},
	{"Data-TLB-store-miss", "Data-TLB-store-miss 3:10103 -guest"},
	{"bpu-loads:u", "bpu-loads 3:5 -kernel -hv -guest"},
	{"node-prefetch-misses/name=n/", "n 3:10206 -guest"},
	{"L1-icache-stores", "!no store events of L1-icache"},
	{"L1-dcache-foo", "!no event is called 'L1-dcache-foo'"},
	{"L1-dcache-load-store", "!no event is called"},
	/* raw and by number */
	{"r1a8", "r1a8 4:1a8 -guest"},
	{"r1A8:u", "r1A8:u 4:1a8 -kernel -hv -guest"},
	{"r1234/name=rawpmu/", "rawpmu 4:1234 -guest"},
	{"r0x1a", "!no event is called 'r0x1a'"},
	{"r12345678123456789", "!no event is called"},
	{"1:1", "1:1 1:1 -guest"},
	{"0x1:0x3:k", "0x1:0x3:k 1:3 -user -hv"},
	{"4:0x6530160/name=numpmu/", "numpmu 4:6530160 -guest"},
	/* modifiers */
	{"cycles:u", "cycles:u 0:0 -kernel -hv -guest"},
	{"cycles:k", "cycles:k 0:0 -user -hv"},
	{"cycles:uk", "cycles:uk 0:0 -hv -guest"},
	{"cycles:h", "cycles:h 0:0 -user -kernel"},
	{"cycles:I", "cycles:I 0:0 -idle"},
	{"cycles:G", "cycles:G 0:0 -host"},
	{"cycles:H", "cycles:H 0:0 -guest"},
	{"cycles:GH", "cycles:GH 0:0"},
	{"cycles:uG", "cycles:uG 0:0 -kernel -hv -host"},
	{"cycles:pp", "cycles:pp 0:0 -guest p2"},
	{"cycles:P", "cycles:P 0:0 P"},
	{"cycles:DeSWb", "cycles:DeSWb 0:0 pinned exclusive S W b"},
	{"instructions:kIG", "instructions:kIG 0:1 -user -hv -host -idle"},
	{"cycles:", "cycles: 0:0 -guest"},
	{"cycles//u", "cycles//u 0:0 -kernel -hv -guest"},
	{"cycles:pppp", "!modifier 'p' is given too often"},
	{"cycles:uu", "!modifier 'u' is given too often"},
	{"cycles:z", "!unknown modifier 'z'"},
	{"cycles::u", "!unknown modifier ':'"},
	/* groups */
	{"{cycles,instructions}:u", "cycles 0:0 -kernel -hv -guest members=2\n"
				    "instructions 0:1 -kernel -hv -guest leader=0"},
	{"{cycles:k,faults}:u", "cycles:k 0:0 -hv -guest members=2\n"
				"faults 1:2 -kernel -hv -guest leader=0"},
	{"g{cycles,faults:u}:S,cs", "cycles 0:0 -guest members=2 group=g S\n"
				    "faults:u 1:2 -kernel -hv -guest leader=0 S\ncs 1:3 -guest"},
	{"{cycles,faults}:D", "cycles 0:0 -guest pinned members=2\nfaults 1:2 -guest leader=0"},
	{"{cs}", "cs 1:3 -guest"},
	{"{cycles:u,faults:k}:p", "cycles:u 0:0 -kernel -hv -guest p1 members=2\n"
				  "faults:k 1:2 -user -hv -guest p1 leader=0"},
	{"{}", "!an event is missing"},
	{"{cycles", "!the group is not closed"},
	{"{{cycles}}", "!groups don't nest"},
	{"{cycles}u", "!',' or ':' should stand here"},
	/* tracepoints */
	{"sched:sched_switch", "sched:sched_switch 2:174" T_SAMPLE},
	{"sched:sched_switch:u", "sched:sched_switch 2:174 -kernel -hv" T_SAMPLE},
	{"i*:*entry", "irq:irq_handler_entry 2:e1" T_SAMPLE},
	{"sched:sched_switch/call-graph=fp,max-stack=5/",
	 "sched:sched_switch 2:174 -guest period=1 max-stack=5 callgraph=1"},
	{"sched:sched_swich",
	 "!no tracepoint 'sched:sched_swich'; did you mean 'sched:sched_switch'?"},
	{"shed:sched_switch",
	 "!no tracepoint 'shed:sched_switch'; did you mean 'sched:sched_switch'?"},
	{"sched:x*", "!no tracepoint 'sched:x*'"},
	/* probes that are made for the command */
	{"uprobe:./prog:parse", "uprobe:prog:parse 1:9 -guest period=1 probe=./prog,parse "},
	{"uprobe:/a.b/p:a.c:12(x y, s:string,+0(%di):u8),cs",
	 "uprobe:p:a.c:12 1:9 -guest period=1 probe=/a.b/p,a.c:12 x y  s:string +0(%di):u8\n"
	 "cs 1:3 -guest"},
	{"uretprobe:p:f($retval)", "uretprobe:p:f 1:9 -guest period=1 probe=p,f%return $retval"},
	{"{kprobe:f+4,kretprobe:m:f%return}",
	 "kprobe:f+4 1:9 -guest period=1 members=2 probe=,f+4 \n"
	 "kretprobe:m:f%return 1:9 -guest period=1 leader=0 probe=m,f%return "},
	{"kprobe:f:3", "kprobe:f:3 1:9 -guest period=1 probe=,f:3 "},
	{"uprobe:./prog", "!a program's probe is uprobe:PROGRAM:FUNCTION"},
	{"uprobe:./prog:", "!a function or a line should stand here"},
	{"kprobe:", "!a function or a line should stand here"},
	{"uprobe:p:f(a(b)", "!no ')' closes the arguments"},
	{"uprobe:p:f(a) b", "!',' should stand before this"},
	/* breakpoints */
	{"mem:0x1234", "mem:0x1234 5:0 -guest config1=1234 config2=4 bp=3 period=1"},
	{"mem:0x1234/8:w", "mem:0x1234 5:0 -guest config1=1234 config2=8 bp=2 period=1"},
	{"mem:0x1234:x", "mem:0x1234:x 5:0 -guest config1=1234 config2=8 bp=4 period=1"},
	{"mem:100:rw:u", "mem:100:rw:u 5:0 -kernel -hv -guest config1=64 config2=4 bp=3 period=1"},
	{"mem:0x10/2:r:k,cs", "mem:0x10 5:0 -user -hv config1=10 config2=2 bp=1 period=1\n"
			      "cs 1:3 -guest"},
	{"mem:zz", "!a breakpoint needs an address"},
	{"mem:0x1234:rr", "!unknown modifier 'r'"},
	/* terms */
	{"cs/period=1000/", "cs/period=1000/ 1:3 -guest period=1000"},
	{"cs/freq=99/u", "cs/freq=99/u 1:3 -kernel -hv -guest freq period=99"},
	{"cs/freq=99,period=5/", "cs/freq=99,period=5/ 1:3 -guest period=5"},
	{"cs/name='a,b:c'/u", "a,b:c 1:3 -kernel -hv -guest"},
	{"cs/time=0,nr=3/", "cs/time=0,nr=3/ 1:3 -guest nr=3 no-time"},
	{"cs/call-graph=dwarf/", "cs/call-graph=dwarf/ 1:3 -guest callgraph=2 dump=8192"},
	{"cs/call-graph=dwarf,stack-size=4090/",
	 "cs/call-graph=dwarf,stack-size=4090/ 1:3 -guest callgraph=2 dump=4096"},
	{"cs/no-inherit,overwrite/", "cs/no-inherit,overwrite/ 1:3 -guest no-inherit overwrite"},
	{"cs/inherit=0/", "cs/inherit=0/ 1:3 -guest no-inherit"},
	{"cs/no-inherit=0/", "cs/no-inherit=0/ 1:3 -guest"},
	{"cs/branch_type='any_call,u'/", "cs/branch_type='any_call,u'/ 1:3 -guest branch=11"},
	{"cs/branch_type=u/", "cs/branch_type=u/ 1:3 -guest branch=9"},
	{"cs/config=1,percore,aux-output/",
	 "cs/config=1,percore,aux-output/ 1:1 -guest aux_output percore"},
	{"cs/config3=4/", "cs/config3=4/ 1:3 -guest config3=4 size=136"},
	{"cs/time=2/", "!'time' takes 0 or 1"},
	{"cs/period=abc/", "!'period' takes a number"},
	{"cs/period=/", "!a value should stand here"},
	{"cs/name/", "!'name' needs a value"},
	{"cs/perod=1/", "!no term is called 'perod'; did you mean 'period'?"},
	{"cs/max-stack=9/", "cs/max-stack=9/ 1:3 -guest max-stack=9 callgraph=1"},
	{"cs/max-stack=9,call-graph=no/", "cs/max-stack=9,call-graph=no/ 1:3 -guest max-stack=9"},
	{"cs/call-graph=foo/", "!a call graph is"},
	{"cs/branch_type=ani/", "!unknown branch filter 'ani'"},
	{"cs/period=5", "!the terms are not closed"},
	{"cs/period=5,/", "!a term should stand here"},
	{"cs/name='a/", "!the quote is not closed"},
	/* PMUs */
	{"cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/ 4:13c -guest"},
	{"cpu/config=0x100,event=2/", "cpu/config=0x100,event=2/ 4:102 -guest"},
	{"cpu/split=0x1f/", "cpu/split=0x1f/ 4:0 -guest config1=10000000f"},
	{"cpu/wide=7/", "cpu/wide=7/ 4:0 -guest config3=7 size=136"},
	{"cpu/r1a/", "cpu/r1a/ 4:1a -guest"},
	{"cpu/r0x1a/k", "cpu/r0x1a/k 4:1a -user -hv"},
	{"cpu/mem-loads/pp", "cpu/mem-loads/pp 4:1cd -guest p2 config1=3"},
	{"mem-loads:u", "mem-loads:u 4:1cd -kernel -hv -guest config1=3"},
	{"mem-loads/name=ml/", "ml 4:1cd -guest config1=3"},
	{"cpu/asks,umask=4/", "cpu/asks,umask=4/ 4:411 -guest"},
	{"power/energy-psys/", "power/energy-psys/ 9:5 -guest unit=Joules scale=0.25 cpus=0,4"},
	{"imc/event=3/", "imc/event=3/ 20:3 -guest\nimc/event=3/ 21:3 -guest"},
	{"cpu//", "cpu// 4:0 -guest"},
	{"cpu/asks/", "!needs a value for 'umask'"},
	{"cpu/ring/", "!by itself"},
	{"cpu/event=0x1ff/", "!'event' has 8 bits: at most 255"},
	{"cpu/event=foo/", "!'event' takes a number"},
	{"cpu/evnt=1/", "!has no term or event 'evnt'; did you mean 'event'?"},
	{"cpuu/event=1/", "!no event or PMU is called 'cpuu'; did you mean 'cpu'?"},
	{"../event=1/", "!no event or PMU is called"},
	{"cpu/cycles/u", "cpu/cycles/u 0:0 -kernel -hv -guest"},
	{"cpu/L1-dcache-load-misses/", "cpu/L1-dcache-load-misses/ 3:10000 -guest"},
	{"cpu/MEM-LOADS/", "cpu/MEM-LOADS/ 4:1cd -guest config1=3"},
	{"mem-loads/umask=2/", "mem-loads/umask=2/ 4:3cd -guest config1=3"},
	{"cpu/event = 1 , umask = 2/", "cpu/event = 1 , umask = 2/ 4:201 -guest"},
	{"uncore_imc_[01]/event=3/", "uncore_imc_[01]/event=3/ 20:3 -guest\n"
				     "uncore_imc_[01]/event=3/ 21:3 -guest"},
	{"tool/user_time/", "tool/user_time/ 1:9 -guest tool=2 unit=ns scale=1"},
	{"num_cpus", "num_cpus 1:9 -guest tool=6"},
	{"cs/cpu=0,cpu=2-3/", "cs/cpu=0,cpu=2-3/ 1:3 -guest cpus=0,2-3"},
	{"cs/cpu=power/", "cs/cpu=power/ 1:3 -guest cpus=0,4"},
	{"cs/config4=1/", "cs/config4=1/ 1:3 -guest"},
	{"cycles :u", "cycles :u 0:0 -kernel -hv -guest"},
	{"%sched:sched_switch", "sched:sched_switch 2:174" T_SAMPLE},
	{"{cycles,mem-loads}:X",
	 "cycles 0:0 -guest members=2\nmem-loads 4:1cd -guest config1=3 leader=0"},
	{"{power/event=1/,cs,cycles}", "power/event=1/ 9:1 -guest members=2 cpus=0,4\n"
				       "cs 1:3 -guest leader=0\ncycles 0:0 -guest"},
	/* more mistakes */
	{"cycles:U", "!did you mean 'u'?"},
	{"cycles:u k", "!modifiers stand together"},
	{"{cycles:ppp,cs}:p", "!more precise than ppp"},
	{"{cycles,cs}:", "!modifiers should stand here"},
	{"{cycles,cs}/u", "!',' should stand before this"},
	{"cycles}", "!this '}' closes no group"},
	{"a b{cs}", "!the name of a group has no ' '"},
	{"cycles{cs}", "!',' should stand before this"},
	{"{cs;cs}", "!no event is called"},
	{"foo.o", "!a BPF program is no event any more"},
	{"4294967296:1", "!a type has 32 bits"},
	{"cs/period=08/", "!a number that begins with 0 is octal"},
	{"cs/period=-1/", "!'period' cannot be negative"},
	{"cs/period=18446744073709551616/", "!is more than 64 bits"},
	{"cs/stack-size=0/", "!a stack dump has 8 to 65528 bytes"},
	{"cs/max-stack=65536/", "!a stack has at most 65535 entries"},
	{"cs/call-graph=dwraf/", "!did you mean 'dwarf'?"},
	{"cs/aux-action=paus/", "!did you mean 'pause'?"},
	{"cs/cpu=x/", "!'x' is neither a CPU nor a PMU"},
	{"cs/cpu=powr/", "!did you mean 'power'?"},
	{"cs/cpu=3-1/", "!is no list of CPUs"},
	{"cs/cpu/", "!'cpu' needs a value"},
	{"cs/ratio-to-prev=0/", "!a ratio is a number above 0"},
	{"cs/ratio-to-prev=2/", "!needs one before it"},
	{"{cycles,instructions/ratio-to-prev=2/}", "!doesn't reload counters"},
	{"cs/aux-sample-size=8/", "!needs a group that a tracer leads"},
	{"cs/inherit=2/", "!'inherit' takes 0 or 1"},
	{"tool/nosuch/", "!no tool event is called 'nosuch'"},
	{"cpu/cs/", "!has no term or event 'cs'"},
	{"cpu/mem-loads,cycles/", "!one event cannot be two"},
	{"cpu/asks,umask=?/", "!needs a value for 'umask', as in umask=1"},
	{"sched_switch", "!did you mean 'sched:sched_switch'?"},
	{"sched:switch", "!did you mean 'sched:sched_switch'?"},
	{"sched:", "!a name should stand here"},
	{":sched_switch", "!a tracepoint is SYSTEM:NAME"},
	{"sched:sched_switch x", "!',' should stand before this"},
	{"sdt_libc:setjmp", "!nobody has defined 'sdt_libc:setjmp'"},
	{"%sdt_libc:setjmp", "sdt_libc:setjmp 1:9 -guest period=1 probe=,%sdt_libc:setjmp"},
	{"probe:vfs_read", "!nobody has defined 'probe:vfs_read'"},
	{"probe_bash:main", "!nobody has defined 'probe_bash:main'"},
	{"mem:0x1/0", "!a length in bytes should stand here"},
	{"mem:main:x", "!a breakpoint needs an address"},
};

static void texts_become_events(void **state)
{
	char pmu_root[80], tracefs_root[80];
	struct event_host host = {pmu_root, tracefs_root};
	struct buf b = {0};
	int bad = 0;

	(void)state;
	snprintf(pmu_root, sizeof(pmu_root), "%s/pmu", root);
	snprintf(tracefs_root, sizeof(tracefs_root), "%s/tracing", root);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *want = rows[i].becomes;
		struct event_set set = {0};
		struct err err = {0};
		int got = event_parse(&set, rows[i].text, &host, &err);

		describe(&set, &b);
		bad += answer_differs(rows[i].text, got, &b, &err, want);
		event_set_release(&set);
	}
	buf_release(&b);
	assert_int_equal(bad, 0);
}

static void events_of_the_cores_are_one_for_each_kind(void **state)
{
	static const char *const texts[][2] = {
		{"cycles:u,cs", "cpu_core/cycles:u/ 0:400000000 -kernel -hv -guest cpus=0-3\n"
				"cpu_atom/cycles:u/ 0:a00000000 -kernel -hv -guest cpus=4-7\n"
				"cs 1:3 -guest"},
		{"{LLC-loads}:k", "cpu_core/LLC-loads/ 3:400000002 -user -hv -guest cpus=0-3\n"
				  "cpu_atom/LLC-loads/ 3:a00000002 -user -hv -guest cpus=4-7"},
		{"g{cycles,cs,branches}",
		 "cpu_core/cycles/ 0:400000000 -guest members=3 group=g cpus=0-3\n"
		 "cs 1:3 -guest leader=0\n"
		 "cpu_core/branches/ 0:400000004 -guest leader=0 cpus=0-3\n"
		 "cpu_atom/cycles/ 0:a00000000 -guest members=2 group=g cpus=4-7\n"
		 "cpu_atom/branches/ 0:a00000004 -guest leader=3 cpus=4-7"},
		{"r1a", "cpu_core/r1a/ 4:1a -guest cpus=0-3\ncpu_atom/r1a/ 10:1a -guest cpus=4-7"},
	};
	char pmu_root[80];
	struct event_host host = {.pmu_root = pmu_root};
	struct buf b = {0};

	(void)state;
	snprintf(pmu_root, sizeof(pmu_root), "%s/hybrid", root);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct event_set set = {0};

		assert_int_equal(event_parse(&set, texts[i][0], &host, NULL), 0);
		describe(&set, &b);
		assert_string_equal(buf_text(&b), texts[i][1]);
		event_set_release(&set);
	}
	buf_release(&b);
}

static void a_mistake_is_pointed_at(void **state)
{
	struct event_host host = {0};
	struct event_set set = {0};
	struct err err = {0};

	(void)state;
	assert_int_equal(event_parse(&set, "cycles,faults:uz", &host, &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_string_equal(
		err.text,
		"event 'cycles,faults:uz': unknown modifier 'z'; there are ukhIGHpPSDWebRX");
	assert_non_null(strstr(err.hint, "event syntax error: 'cycles,faults:uz'\n"
					 "                                    \\___ unknown"));
	assert_true(err.drawn);
	/* what may be meant stands in both */
	assert_int_equal(event_parse(&set, "cycles,minor-fautls", &host, &err), -1);
	assert_non_null(strstr(err.text, "did you mean 'minor-faults'?"));
	assert_non_null(strstr(
		err.hint, "\\___ no event is called 'minor-fautls'; did you mean 'minor-faults'?"));
	assert_int_equal(event_parse(&set, "sched:x", &host, &err), -1);
	assert_non_null(strstr(err.text, "tracefs isn't mounted"));
	event_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_events),
		cmocka_unit_test(events_of_the_cores_are_one_for_each_kind),
		cmocka_unit_test(a_mistake_is_pointed_at),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
