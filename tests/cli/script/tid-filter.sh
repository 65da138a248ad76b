perf script -f --symfs $DATA/root -i $DATA/comms.data --tid 4653 -F comm
