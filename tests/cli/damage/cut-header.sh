head -c 50 $DATA/chains.data >cut.data
perf script -i cut.data
