# a raise that is left over is not the next entry's; perf 6.1 measures 2.329 ms there
perf kwork latency -f -i $DATA/kwork.data
perf kwork -k softirq latency -f -s count -S -i $DATA/kwork.data 2>&1 | head -1
perf kwork report -S -k workqueue -f -i $DATA/kwork.data
