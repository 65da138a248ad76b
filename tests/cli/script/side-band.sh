perf script -f --symfs $DATA/root -i $DATA/side-band.data -F comm,tid,time,event --show-task-events --show-mmap-events --show-switch-events --show-namespace-events --show-cgroup-events
