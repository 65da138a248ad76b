# perf ftrace: what the kernel's tracers write, how long functions take, and settings put back.
# guests: x86-6.*
. /lab/lib.sh
t=/sys/kernel/tracing
[ -d $t/events ] || mount -t tracefs tracefs $t
if ! grep -qw function_graph $t/available_tracers; then
	skip "perf ftrace" "the kernel has no function_graph"
	finish
fi
settings() {
	(cd $t && for f in tracing_on current_tracer set_ftrace_pid set_ftrace_notrace_pid tracing_cpumask max_graph_depth tracing_thresh set_ftrace_filter \
		set_ftrace_notrace set_graph_function set_graph_notrace options/function-fork options/sleep-time; do
		echo "$f: $(cat $f)"
	done)
}
echo hello >greeting
settings >before
# -G: what a function calls
check "a command is traced" "$PERF" ftrace -G vfs_read -- dd if=greeting of=/dev/null
cp check.out graph.txt
check "the function is there" grep -q '|  vfs_read() {$' graph.txt
check "what it calls is below it" grep -q '|    [a-z_]*(' graph.txt
check "it has columns" grep -q '^# tracer: function_graph' graph.txt
"$PERF" ftrace -T vfs_read -- dd if=greeting of=/dev/null >func.txt 2>/dev/null
check "the function tracer shows its caller" grep -Eq '(dd|<\.\.\.>)-[0-9]+ .*: vfs_read <-[a-z_0-9]*read' func.txt
check "only that function" [ "$(grep -v '^#' func.txt | grep -vc ': vfs_read <-')" = 0 ]
"$PERF" ftrace -G vfs_read --graph-opts depth=1 -- dd if=greeting of=/dev/null >depth.txt 2>&1
check "a depth is kept" sh -c 'grep -q "|  vfs_read();" depth.txt && ! grep -q "|    [a-z]" depth.txt'
# text of all CPUs, in the order of time
"$PERF" ftrace -T vfs_write -m 4M --inherit -- sh -c 'for i in 1 2; do dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null & done; wait' >order.txt 2>err.txt
check "every call is there, and no loss is told" [ "$(grep -c ' vfs_write <-' order.txt)" -ge 4000 ] && [ ! -s err.txt ]
check "in the order of time" awk '!/^#/ && match($0, /[0-9]+\.[0-9]+: /) { t = substr($0, RSTART, RLENGTH) + 0; bad += t < last; last = t; n++ } END { exit !(n >= 4000 && !bad) }' order.txt
"$PERF" ftrace -G vfs_read --graph-opts verbose -- dd if=greeting of=/dev/null >verbose.txt 2>&1
check "times are shown where they are asked for" grep -Eq '^ *[0-9]+\.[0-9]{6} \|.*\|  vfs_read\(\) \{$' verbose.txt
"$PERF" ftrace latency -T vfs_read -- dd if=greeting of=/dev/null >our.txt 2>&1
check "reads are counted" [ "$(awk -F'|' '/ - / { n += $2 } END { print (n >= 2) }' our.txt)" = 1 ]
"$REF" ftrace latency -T vfs_read -- dd if=greeting of=/dev/null >ref.txt 2>&1
echo 1 >$t/tracing_on # the reference leaves it off
grep ' - ' our.txt | cut -c1-15 >our.cut
grep ' - ' ref.txt | cut -c1-15 >ref.cut
same "the histogram has the reference's rows" ref.cut our.cut
# the same by BPF programs
"$PERF" ftrace latency -b -T vfs_write -- dd if=/dev/zero of=/dev/null bs=1 count=500 2>dd.txt >bpf.txt
check "BPF programs count each call" [ "$(awk -F'|' '/ - / { n += $2 } END { print (n >= 500 && n < 520) }' bpf.txt)" = 1 ]
grep ' - ' bpf.txt | cut -c1-15 >bpf.cut
same "in the reference's rows" ref.cut bpf.cut
"$PERF" ftrace latency -b -n --bucket-range 100000000 --hide-empty -T schedule_hrtimeout_range_clock -T schedule_timeout -- true >bpf.txt 2>&1
check "one function only" grep -qx -- '-T names one function only' bpf.txt
"$PERF" ftrace latency -b -a -T hrtimer_nanosleep --bucket-range 100000 --hide-empty -- sleep 0.35 >bpf.txt 2>&1
check "a sleep of 350 ms takes that long" awk -F'|' '/^ *[0-9.]+ - / { split($1, a, " "); if (a[1] >= 300) n += $2 } END { exit !(n >= 1) }' bpf.txt
"$PERF" ftrace latency -b -T no_such_function true >bpf.txt 2>&1
check "an unknown function is refused" grep -q "cannot be attached to function 'no_such_function'" bpf.txt
"$PERF" ftrace profile -T 'vfs_*' -- dd if=greeting of=/dev/null >profile.txt 2>&1
check "a profile has a row a function" [ "$(grep -c ' vfs_read$' profile.txt)" = 1 ]
check "its columns agree" awk '/ vfs_read$/ { d = $1 / $4 - $2; exit !(d < 0.01 && d > -0.01 && $3 >= $2 && $4 >= 2) }' profile.txt
"$PERF" ftrace -F 'vfs_re*' >funcs.txt 2>&1
check "functions are listed" grep -qx vfs_read funcs.txt
check "a function that is not there is refused" sh -c '! "$PERF" ftrace -T no_such_function true 2>err.txt && grep -q "does not take" err.txt'
settings >after
same "the settings are as they were" before after
# killed: its guard does it
"$PERF" ftrace -T vfs_read -m 1M -- sh -c 'kill -9 $PPID' >/dev/null 2>&1
for i in 1 2 3 4 5 6 7 8 9 10; do
	settings >after
	cmp -s before after && break
	sleep 1
done
same "and after perf was killed" before after
# what the buffers have no room for is told
"$PERF" ftrace -a -t function -m 4K -- dd if=/dev/zero of=/dev/null bs=1 count=20000 >many.txt 2>err.txt
check "lost events are a status of their own" [ $? = 3 ]
check "and are counted" grep -Eq '^perf ftrace: [0-9]+ events were lost: ' err.txt
# ended half way
"$PERF" ftrace -a -T vfs_read -- sleep 60 >/dev/null 2>&1 &
pid=$!
sleep 3
kill -TERM $pid # a shell has its background ignore SIGINT
wait $pid
settings >after
same "and after a signal" before after
finish
