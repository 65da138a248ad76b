perf sched map --task-name :35,fork --fuzzy-name -f -i $DATA/sched.data
