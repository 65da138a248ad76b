perf mem -t store -p report -f -i $DATA/memory.data -F overhead,tlb,phys_daddr,sym
