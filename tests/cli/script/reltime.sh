perf script -f --symfs $DATA/root --reltime -i $DATA/comms.data -F comm,time
