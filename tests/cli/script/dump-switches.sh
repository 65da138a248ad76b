cd $DATA && perf script -f --symfs $DATA/root -D -i switches.data
