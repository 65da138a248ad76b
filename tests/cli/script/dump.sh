perf script -f --symfs $DATA/root -D -i $DATA/side-band.data
