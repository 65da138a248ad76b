perf report -f --symfs $DATA/root --folded=weight -i $DATA/chains.data
