perf script -f --symfs $DATA/root --comms first -i $DATA/comms.data -F comm,time
