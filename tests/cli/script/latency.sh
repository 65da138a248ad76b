perf script -f --symfs $DATA/root -i $DATA/wide.data -L
