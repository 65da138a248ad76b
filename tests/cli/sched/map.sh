perf sched map --compact -f -i $DATA/sched.data
