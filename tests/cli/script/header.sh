perf script -f --symfs $DATA/root --header -i $DATA/comms.data -F comm | grep -v "^# captured on"
