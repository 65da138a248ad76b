perf sched timehist -MVwn --state -f -i $DATA/sched.data
