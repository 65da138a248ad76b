perf script -f --symfs $DATA/root --deltatime -i $DATA/comms.data -F comm,time
