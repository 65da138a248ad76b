perf script -f --symfs $DATA/root -D -i $DATA/switches.data
