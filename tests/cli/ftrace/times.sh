# how long functions took
. "$DATA/../cli/ftrace/lib"
make_tracefs
perf ftrace latency -T vfs_read true
perf ftrace latency -n -T vfs_read true | grep -v ' 0 |'
perf ftrace latency --hide-empty -T vfs_read true
perf ftrace latency --bucket-range 5 --max-latency 23 -T vfs_read true
perf ftrace latency -n --bucket-range 700 --min-latency 100 --hide-empty -T vfs_read true
perf ftrace latency --min-latency 5 -T vfs_read true 2>&1 | head -1
perf ftrace latency --bucket-range 5 --max-latency 6 -T vfs_read true 2>&1 | head -1
perf ftrace profile true
perf ftrace profile -s avg -T vfs_read true
perf ftrace profile -s max true | cut -c1-12,50-
perf ftrace profile -s count true | sed -n 2p
perf ftrace profile -s name true | cut -c50-
: >debug/tracing/per_cpu/cpu0/trace_pipe
: >debug/tracing/per_cpu/cpu1/trace_pipe
perf ftrace latency -T vfs_read true
perf ftrace -F
perf ftrace -F 'vfs_*'
