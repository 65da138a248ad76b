perf script -f --symfs $DATA/root -i $DATA/wide.data -F comm,ip,uregs,iregs
