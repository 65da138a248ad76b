perf script -f --symfs $DATA/root -i $DATA/flags.data -F comm,tid,ip,addr,phys_addr,data_page_size,code_page_size,sym
