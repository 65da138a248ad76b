head -c 4000 $DATA/compressed.data >cut.data
perf script --symfs $DATA/root -F comm,tid -i cut.data | wc -l
