# events of a recording between the calls; by name; and what is refused
perf trace -i $DATA/sched.data --max-events 6 2>&1
perf trace -i $DATA/sched.data -e 'sched:sched_wak*' --max-events 3 -T 2>&1
perf trace -i $DATA/sched.data -e sched:sched_switch --max-events 2 --libtraceevent_print --no-comm 2>&1
perf trace -i $DATA/sched.data --switch-on no:such 2>&1 || echo $?
perf trace --no-syscalls true 2>&1 || echo $?
perf trace -F some true 2>&1 || echo $?
perf trace --sched true 2>&1 || echo $?
perf trace --filter 'a == 1' true 2>&1 || echo $?
perf trace --call-graph fp -s true 2>&1 || echo $?
perf trace -e openat -G / true 2>&1 || echo $?
perf trace -e 'uprobe:prog' true 2>&1 || echo $?
