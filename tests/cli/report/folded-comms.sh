perf report -f --symfs $DATA/root --folded --comms first,third -i $DATA/comms.data
