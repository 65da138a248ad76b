perf script -f --symfs $DATA/root -i $DATA/comms.data -F comm,tid,misc,time,event
