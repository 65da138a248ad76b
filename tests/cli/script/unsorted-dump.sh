cd $DATA && perf script -f --symfs $DATA/root --dump-unsorted-raw-trace -i side-band.data
