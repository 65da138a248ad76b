perf script -f --symfs $DATA/root -i $DATA/side-band.data -F comm,tid --show-lost-events
