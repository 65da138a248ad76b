perf mem report -x , -f -i $DATA/memory.data -s mem,snoop,tlb,locked,blocked | head -30
