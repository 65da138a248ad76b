perf sched timehist -S --time 50%-100% -f -i $DATA/sched.data
