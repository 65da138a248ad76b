# of a tracefs that stands in for the machine's: sorted by the whole name, globs on both sides
for e in fib6/lookup fib/table_lookup fib/lookup sched/sched_switch; do
	mkdir -p debugfs/tracing/events/$e
done
export PERF_DEBUGFS_DIR=$PWD/debugfs
perf list tracepoint
echo --
perf list 'fib*:*lookup'
echo --
perf list 'fib:x*' 'sched:*'
echo --
perf list --raw-dump 'fib:*'; echo
echo --
perf list switch | grep Tracepoint
perf list -j 'sched:*'
