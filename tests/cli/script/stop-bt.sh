perf script -f --symfs $DATA/root -i $DATA/chains.data --stop-bt middle,main -F comm,ip,sym
