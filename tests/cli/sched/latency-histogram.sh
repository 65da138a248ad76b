perf sched latency -H -f -i $DATA/switches.data
perf sched latency --hist-mode linear -p -x, -f -i $DATA/switches.data
perf sched latency -H -j -C 0 -f -i $DATA/switches.data
perf sched latency -H -f -i $DATA/sched.data | tail -2
perf sched latency --hist-mode cubic 2>&1 || echo "status $?"
