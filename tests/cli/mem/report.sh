perf mem report -f -i $DATA/memory.data | head -60
