perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data | grep -v '^# (Tip:'
