perf script -f --symfs $DATA/root -i $DATA/switches.data -F comm,tid,event,trace --ns
