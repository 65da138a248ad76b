perf kwork report -f -i $DATA/kwork.data
