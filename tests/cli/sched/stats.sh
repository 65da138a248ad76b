# the numbers of CPU 0 in its domain SMT are those of the example in perf's manual
perf sched stats report -f -i $DATA/schedstat/v17.data
