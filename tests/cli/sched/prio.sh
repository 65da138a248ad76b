perf sched timehist --show-prio -P -Vn --state -f -i $DATA/sched.data
perf sched timehist --prio 0-99 -w -f -i $DATA/sched.data
perf sched timehist --prio 120-140 -f -i $DATA/sched.data 2>&1 || echo "status $?"
perf sched timehist --prio x -f -i $DATA/sched.data 2>&1 || echo "status $?"
