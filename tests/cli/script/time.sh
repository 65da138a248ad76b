perf script -f --symfs $DATA/root --time 10%-20% -i $DATA/comms.data -F comm,time
