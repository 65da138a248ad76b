head -c 9000 $DATA/pipe.data >cut.data
perf report --stdio --symfs $DATA/root -g none --no-children -i cut.data
