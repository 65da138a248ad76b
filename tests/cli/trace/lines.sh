perf trace -i $DATA/calls/threads.data 2>&1
