# what --complete answers: whether the word is finished, what stands before it, what it can become
mkdir -p debugfs/tracing/events/sched/sched_switch debugfs/tracing/events/sched/sched_wakeup debugfs/tracing/events/irq
export PERF_DEBUGFS_DIR=$PWD/debugfs
try()
{
	echo "--$(for word; do printf ' %s' "${word:-\"\"}"; done)"
	perf --complete perf "$@"
}
try evl
try --debug-f
try --exec-path=x
try version ''
try help re
try evlist --f
try evlist -
try evlist -F
try list metric
try record -e sch
try record -g -e duration_time,sched:
try record -esched:sched_sw
try record --call-graph f
try record --no-call
try record ls -
try record -g -- ls
try stat re
try stat report --per-c
try report -s dso,+symbol_
try report -g graph,0.5,c
try report --time ''
try report --max-stack ''
try script -F tr
try script -F hw:co
printf '[events]\n\tdir = %s\n' "$DATA/vendor/perfmon" >config
PERF_CONFIG=$PWD/config PERF_CPUID=TestVendor-6-10-1 try stat -M toy_cpi,toy_b
try nonsense --sort ''
perf --complete
perf --complete perf
