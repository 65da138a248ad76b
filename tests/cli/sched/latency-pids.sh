perf sched latency -p -s runtime,max -f -i $DATA/sched.data
