perf mem report -x , -D -C 1,3 -f -i $DATA/memory.data | head -20
