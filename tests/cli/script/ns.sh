perf script -f --symfs $DATA/root --ns -i $DATA/comms.data -F comm,time
