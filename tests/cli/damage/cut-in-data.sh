head -c 4000 $DATA/chains.data >cut.data
perf report --stdio --symfs $DATA/root -g none -i cut.data
