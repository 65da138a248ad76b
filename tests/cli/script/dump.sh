cd $DATA && perf script -f --symfs $DATA/root -D -i side-band.data
