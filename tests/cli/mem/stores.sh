perf mem -t store -p report -f -i $DATA/memory.data -F overhead,mem,phys_daddr,sym
