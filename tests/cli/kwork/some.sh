perf kwork -k softirq,irq report -f -s count,max -n disk -i $DATA/kwork.data
perf kwork -k workqueue report -f -C 1 --time 1.001,1.003 -i $DATA/kwork.data
