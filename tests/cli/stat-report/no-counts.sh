cp $DATA/chains.data x; perf stat report -i x
