perf sched timehist -s -f -i $DATA/sched.data
