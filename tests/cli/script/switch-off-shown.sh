perf script -f --symfs $DATA/root -i $DATA/switches.data --switch-off sched:sched_switch --show-on-off-events -F comm,event
