perf report -f --symfs $DATA/root --folded=samples -i $DATA/comms.data
