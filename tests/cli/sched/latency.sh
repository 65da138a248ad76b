perf sched latency -f -i $DATA/sched.data
