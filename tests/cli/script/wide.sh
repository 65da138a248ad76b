perf script -f --symfs $DATA/root -i $DATA/wide.data -F comm,tid,cpu,time,period,addr,weight,ip,sym,symoff,dso,data_src
