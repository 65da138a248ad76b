perf script -f --symfs $DATA/root -i $DATA/chains.data -G -F ip,sym,insn,insnlen
