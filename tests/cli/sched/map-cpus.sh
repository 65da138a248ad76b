# on one CPU, a short name is explained where it is first seen there, also when another CPU had the task before
perf sched map --cpus 1 -f -i $DATA/kwork.data | grep "=>"
