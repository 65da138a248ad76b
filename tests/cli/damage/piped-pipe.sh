perf report --stdio --symfs $DATA/root -g none --no-children -i - <$DATA/pipe.data
