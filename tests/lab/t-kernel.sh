# What differs between kernels: probes, tracepoints and their formats, symbols of modules.
# guests: *
# ci: x86-6.1
. /lab/lib.sh

tracing=/sys/kernel/tracing
count() { "$1" stat -x, -e "$2" $3 2>&1 >/dev/null | cut -d, -f1,3; }
same_counts() { # NAME EVENTS COMMAND
	count "$REF" "$2" "$3" >ref.txt
	count "$PERF" "$2" "$3" >our.txt
	grep -q '^[1-9]' ref.txt || echo "the reference counts nothing" >>our.txt
	same "$1" ref.txt our.txt
}

# Probes on kernel functions, where the kernel has them.
kernel_function=vfs_open
defined="p:lab/opening $kernel_function mode=+0(%sp):x32"
[ "$(uname -m)" = x86_64 ] || defined="p:lab/opening $kernel_function"
if echo "$defined" >$tracing/kprobe_events 2>/dev/null && echo "r:lab/opened $kernel_function ret=\$retval:s32" >>$tracing/kprobe_events; then
	same_counts "probes are counted" lab:opening,lab:opened "cat /init"
	"$PERF" stat -x, -e 'lab:open*' cat /init 2>&1 >/dev/null | cut -d, -f3 | sort >names.txt
	printf 'lab:opened\nlab:opening\n' >wanted.txt
	same "a pattern finds both" wanted.txt names.txt
	"$PERF" record -q -e lab:opening,lab:opened -g -o probes.data cat /init >/dev/null 2>&1
	# On aarch64 the reference also takes lr for a caller, where a function without unwinding information has one in its frame.
	chains=
	[ "$(uname -m)" != aarch64 ] || chains=-G
	read_both "probes recorded by ours" probes.data script $chains
	"$REF" record -q -e lab:opening,lab:opened -o probes.data cat /init >/dev/null 2>&1
	read_both "probes recorded by the reference" probes.data script
	"$PERF" list 'lab:*' 2>/dev/null | grep lab: >our.txt
	"$REF" list 'lab:*' 2>/dev/null | grep lab: >ref.txt
	same "probes are listed" ref.txt our.txt
	echo >$tracing/kprobe_events
else
	skip "probes" "this kernel has none"
fi

# fprobes with arguments by their names (BTF).
if echo "f:lab/writing vfs_write \$arg*" >$tracing/dynamic_events 2>/dev/null; then
	same_counts "fprobes are counted" lab:writing "echo a word"
	"$PERF" record -q -e lab:writing -o fprobes.data echo a word >/dev/null 2>&1
	read_both "fprobes recorded by ours" fprobes.data script
	echo >$tracing/dynamic_events
else
	skip "fprobes" "this kernel has none"
fi

# Tracepoints: few, and all of the system calls, which ours counts in another way.
same_counts "tracepoints are counted" sched:sched_process_exec,sched:sched_process_exit "$PROGRAMS/forks 5"
same_counts "system calls are counted" syscalls:sys_enter_getppid,syscalls:sys_exit_getppid "$PROGRAMS/work 2000"
"$PERF" stat -x, -e 'syscalls:sys_enter_*' "$PROGRAMS/work" 2000 2>&1 | grep getppid | cut -d, -f1,3 >our.txt
echo 20,syscalls:sys_enter_getppid >wanted.txt
same "one system call of all" wanted.txt our.txt
"$PERF" record -q -e 'sched:*' -a -o sched.data "$PROGRAMS/forks" 5 >/dev/null 2>&1
read_both "all of sched recorded by ours" sched.data script
"$PERF" record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o calls.data ls / >/dev/null 2>&1
read_both "system calls recorded by ours" calls.data script

# Functions of a module: one that the way to the disk leads through.
if grep -q '^virtio_blk ' /proc/modules; then
	event=cpu-clock
	"$PERF" record -q -e $event -c 50000 -a -g -o module.data \
		sh -c 'for i in 1 2 3 4 5 6 7 8; do dd if=/dev/vda of=/dev/null bs=4k count=1000 iflag=direct; done' >/dev/null 2>&1
	# The reference reads /proc/kcore, and calls all that is in it [kernel.kallsyms]; and a module's last function seems
	# to go on through the stubs behind it.
	"$REF" script -i module.data -F ip,sym -G 2>/dev/null | sed 's/ cleanup_module$/ [unknown]/' >ref.txt
	"$PERF" script -i module.data -F ip,sym -G 2>/dev/null | sed 's/ cleanup_module$/ [unknown]/' >our.txt
	same "modules recorded by ours" ref.txt our.txt
	"$PERF" report -i module.data --stdio -g none --no-children -s dso,symbol >our.txt 2>/dev/null
	grep -qE '\[virtio_(blk|ring|pci)\] +\[k\] +[a-z_]+' our.txt && ok "functions of modules have names" ||
		not_ok "functions of modules have names" our.txt
fi
finish
