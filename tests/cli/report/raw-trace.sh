perf report --stdio -f --symfs $DATA/root -i $DATA/switches.data -s trace --raw-trace | grep -v '^# (Tip:'
