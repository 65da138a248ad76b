perf script -f --symfs $DATA/root --header -i $DATA/pipe.data -F comm | grep -v "^# captured on"
