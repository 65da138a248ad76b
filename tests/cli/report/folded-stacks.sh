perf report -f --symfs $DATA/root --folded -i $DATA/chains.data
