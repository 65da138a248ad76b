perf kwork top -f -i $DATA/kwork.data
perf kwork top -f -k sched -s tid -i $DATA/kwork.data
perf kwork top -f -C 1 -n client -i $DATA/kwork.data
