perf script -f --symfs $DATA/root --max-stack 2 -i $DATA/chains.data
