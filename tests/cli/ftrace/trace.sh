# what the tracer writes is passed on, and its settings are put back
. "$DATA/../cli/ftrace/lib"
make_tracefs
settings >before
# the command's own text may come before the tracer's, or after it
perf ftrace -- sh -c 'cat debug/tracing/current_tracer debug/tracing/tracing_on >seen; exit 3' || echo "status $?"
cat seen
settings | diff before - && echo "put back"
perf ftrace trace -G vfs_read -g 'sys_*' -g foo --graph-opts depth=3,thresh=10,nosleep-time,noirqs,verbose,args -m 64K --inherit -C 0 -- \
	sh -c '. "$DATA/../cli/ftrace/lib"; settings' | sed 's/_pid:.*/_pid:/' | grep -v '^[# ]' | diff before - || true
settings | diff before - && echo "put back"
perf ftrace trace -T 'vfs_*' -N vfs_write --func-opts call-graph,irq-info sh -c \
	'cd debug/tracing; grep "" current_tracer set_ftrace_filter set_ftrace_notrace options/func_stack_trace options/irq-info' | grep -v '^[# ]'
settings | diff before - && echo "put back"
