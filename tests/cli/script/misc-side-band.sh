perf script -f --symfs $DATA/root -i $DATA/side-band.data -F comm,misc,time --show-task-events --show-switch-events --show-mmap-events
