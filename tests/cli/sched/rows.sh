perf sched latency -x, -f -i $DATA/sched.data
perf sched latency -p -s runtime -x '\t' --time 10%-50% -f -i $DATA/sched.data
perf sched latency -j -f -i $DATA/sched.data
perf sched latency --time 10%-50% -f -i $DATA/sched.data
perf sched latency -j -x, -f -i $DATA/sched.data 2>&1 || echo "status $?"
perf sched latency -x '' -f -i $DATA/sched.data 2>&1 || echo "status $?"
