# what the buffers had no room for is counted, and perf killed half way leaves no settings behind
. "$DATA/../cli/ftrace/lib"
make_tracefs
settings >before
stats=debug/tracing/per_cpu/cpu1/stats
# it was 11 before
perf ftrace latency --hide-empty -T vfs_read -- sed -i 's/overrun: 11/overrun: 36/; s/dropped events: 0/dropped events: 4/' $stats 2>&1 || echo "status $?"
perf ftrace profile -- sed -i 's/overrun: 36/overrun: 5/' $stats 2>&1 >profile.txt || echo "status $?"
perf ftrace profile -- sh -c "sed -i 's/overrun: 5/overrun: 6/' $stats; exit 9" 2>&1 >profile.txt || echo "status $?"
rm debug/tracing/per_cpu/*/stats
perf ftrace profile -- true 2>&1 >profile.txt || echo "status $?"
settings | diff before - && echo "put back"
# all tasks but perf itself
perf ftrace -a -T vfs_read -- sh -c 'grep -qx $PPID debug/tracing/set_ftrace_notrace_pid && echo itself' | grep itself
settings | diff before - && echo "put back"
# its guard puts back what it cannot
(perf ftrace -T vfs_read -m 1M -- sh -c 'cat debug/tracing/current_tracer >seen; kill -9 $PPID' || echo "status $?" >>seen) >/dev/null 2>&1
cat seen
for i in $(seq 100); do
	settings | cmp -s before - && break
	sleep 0.1
done
settings | diff before - && echo "put back"
