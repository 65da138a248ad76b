perf report --stdio -f --symfs $DATA/root -i $DATA/wide.data -T | grep -v '^# (Tip:'
