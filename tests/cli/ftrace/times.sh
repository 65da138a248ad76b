# how long functions took
. "$DATA/../cli/ftrace/lib"
make_tracefs
perf ftrace latency -T vfs_read true
perf ftrace latency -n -T vfs_read true | grep -v ' 0 |'
perf ftrace profile true
perf ftrace profile -s avg -T vfs_read true
perf ftrace profile -s max true | cut -c1-12,50-
perf ftrace profile -s count true | sed -n 2p
perf ftrace profile -s name true | cut -c50-
: >debug/tracing/trace_pipe
perf ftrace latency -T vfs_read true
perf ftrace -F
perf ftrace -F 'vfs_*'
