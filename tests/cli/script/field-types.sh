perf script -f --symfs $DATA/root -i $DATA/switches.data -F trace:comm,trace
