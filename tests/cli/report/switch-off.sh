perf report --stdio -f -s comm --switch-off sched:sched_switch -i $DATA/switches.data 2>/dev/null | grep -v "^# (Tip:"
