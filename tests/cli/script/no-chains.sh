perf script -f --symfs $DATA/root -G -i $DATA/chains.data
