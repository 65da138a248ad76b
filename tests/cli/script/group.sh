perf script -f --symfs $DATA/root -i $DATA/group.data -F comm,event,period,ip
