perf script -f --symfs $DATA/root -i $DATA/pipe.data
