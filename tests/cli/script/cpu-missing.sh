perf script -f -C 0 -i $DATA/comms.data
