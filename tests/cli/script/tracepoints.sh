perf script -f --symfs $DATA/root -i $DATA/switches.data
