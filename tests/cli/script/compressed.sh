perf script -f --symfs $DATA/root -i $DATA/compressed.data
