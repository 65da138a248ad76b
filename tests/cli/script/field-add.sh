perf script -f --symfs $DATA/root -i $DATA/chains.data -F +dso,-period
