perf kwork report -x, -f -i $DATA/kwork.data
perf kwork -k irq,softirq latency -j -f -i $DATA/kwork.data
perf kwork top -x';' -f -i $DATA/kwork.data
perf kwork top -j --time 1.001,1.003 -f -i $DATA/kwork.data
perf kwork report -S -x, -f -i $DATA/kwork.data 2>&1 || echo "status $?"
