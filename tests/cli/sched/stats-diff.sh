perf sched stats diff -f $DATA/schedstat/v17.data $DATA/schedstat/later.data | sed -n '/^Time/,$p'
cp $DATA/schedstat/v16.data perf.data.old
cp $DATA/schedstat/v16.data perf.data
perf sched stats diff -C 0 | grep -A 12 ", DOMAIN 0"
