perf sched timehist -s --state -f -i $DATA/sched.data
