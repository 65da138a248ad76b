# Counting by BPF on other kernels and processors: the reference's numbers, or ordinary events.
# guests: x86-6.* arm64-6.*
. /lab/lib.sh

calls="$PROGRAMS/calls"
[ -e /sys/kernel/btf/vmlinux ] || { skip "counting by BPF" "the kernel has no BTF"; finish; }
"$PERF" version --build-options | grep -q ' bpf: \[ on' || { skip "counting by BPF" "built without"; finish; }
count() { awk -F, -v name="$1" '$3 ~ "^" name { n += $1; seen = 1 } END { print seen ? n : "none" }' "$2"; }

# System calls: one pair of hooks gives what a tracepoint each gives.
events=syscalls:sys_enter_getppid,syscalls:sys_exit_getppid,syscalls:sys_enter_execve,syscalls:sys_exit_execve
events=$events,syscalls:sys_enter_wait4,syscalls:sys_enter_exit_group
"$PERF" stat -vv -e $events true 2>&1 | grep -q 'type  *2$' && not_ok "no tracepoint is opened" || ok "no tracepoint is opened"
for how in "$calls 300 50" "-i $calls 300" "$PROGRAMS/forks 5"; do
	for perf in ref ours; do
		[ $perf = ref ] && by=$REF || by=$PERF
		"$by" stat -x, -o $perf.csv -e $events $how >/dev/null 2>$perf.err
		awk -F, '/syscalls/ { print $3, $1 }' $perf.csv >$perf.txt
		cat $perf.err >>$perf.txt
	done
	same "system calls of $how" ref.txt ours.txt
done
"$PERF" stat -x, -o ours.csv -e 'syscalls:*' $calls 500 50 2>ours.err
check "system calls by all names" test "$(count syscalls:sys_enter_getppid ours.csv)" = 520

# A command's software events
"$REF" stat -x, -o ref.csv -e page-faults,context-switches $calls 0 0 50 2000
"$PERF" stat -x, -o ours.csv -e page-faults,context-switches $calls 0 0 50 2000
check "page faults of a command" number_between "$(count page-faults ours.csv)" $(($(count page-faults ref.csv) - 15)) $(($(count page-faults ref.csv) + 15))
# One of a busy guest is switched more often than it sleeps: what the kernel says to its parent, which has some of its own
"$PERF" stat -x, -o ours.csv -e context-switches time -v $calls 0 0 50 2000 2>time.txt
switches=$(awk -F: '/oluntary context switches/ { n += $2 } END { print n + 0 }' time.txt)
check "... at least those that it asks for" test "$switches" -ge 50
check "context switches of a command" number_between "$(count context-switches ours.csv)" "$switches" $((switches + 20))

# Shared counters, for a command, its threads, and everything
share="--bpf-counters --bpf-attr-map /sys/fs/bpf/lab"
mount | grep -q '/sys/fs/bpf ' || mount -t bpf bpf /sys/fs/bpf
"$PERF" stat $share -a -x, -o all.csv -e page-faults,cycles sleep 4 2>all.err &
sleep 1.5
"$PERF" stat -vv $share -x, -o ours.csv -e page-faults $calls 0 0 0 2000 2>ours.err
check "shared: page faults of a command" number_between "$(count page-faults ours.csv)" 2050 2150
grep -q sys_perf_event_open ours.err && not_ok "shared: who comes second opens nothing" ours.err || ok "shared: who comes second opens nothing"
wait
check "shared: page faults of all" number_between "$(count page-faults all.csv)" 2050 100000
if "$REF" stat -x, -o ref.csv -e cycles true 2>/dev/null && [ "$(count cycles ref.csv)" != 0 ]; then
	check "shared: cycles of all" number_between "$(count cycles all.csv)" 100000 1e14
	"$REF" stat -x, -o ref.csv -e cycles:u "$PROGRAMS/shares" 0.2 >/dev/null
	"$PERF" stat $share -x, -o ours.csv -e cycles:u "$PROGRAMS/shares" 0.2 >/dev/null
	low=$(count cycles ref.csv)
	check "shared: cycles of a command" number_between "$(count cycles ours.csv)" $((low / 3)) $((low * 3))
fi

# While a BPF program runs: one of our own, that brings shared counters up to date at each interval
"$PERF" stat $share -a -I 20 -e page-faults sleep 8 >/dev/null 2>&1 &
sleep 2
for file in /proc/$!/fdinfo/*; do # type 17: not one that traces, which older kernels don't let be traced
	awk '$1 == "prog_type:" { type = $2 } $1 == "prog_id:" { id = $2 } END { if (type == 17) print id }' $file
done >ids
if "$PERF" stat -x, -o ours.csv -b "$(head -1 ids)" -e task-clock,page-faults sleep 2 2>ours.err; then
	check "during a program: it runs" number_between "$(count task-clock ours.csv)" 0.001 1000
	check "during a program: it has no faults" number_between "$(count page-faults ours.csv)" 0 0
	# 100 times against 5. A guest that waits for a processor of the host just then has run for that long, too.
	shorter() {
		"$PERF" stat -x, -o few.csv -b "$(head -1 ids)" -e task-clock sleep 0.1
		number_between "$(count task-clock ours.csv)" "$(count task-clock few.csv)" 1000
	}
	check "during a program: more often, longer" tries 4 shorter
else
	case $(uname -m)-$(uname -r) in
	aarch64-6.1.*) skip "during a program" "$(head -1 ours.err)" ;;
	*) not_ok "during a program" ours.err ;;
	esac
fi
wait
finish
