perf report --stdio -f --symfs $DATA/root -i $DATA/switches.data -s trace | grep -v '^# (Tip:'
