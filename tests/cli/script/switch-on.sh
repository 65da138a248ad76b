perf script -f --symfs $DATA/root -i $DATA/switches.data --switch-on sched:sched_switch -F comm,event
