perf script -f --symfs $DATA/root -i $DATA/dwarf.data -G
