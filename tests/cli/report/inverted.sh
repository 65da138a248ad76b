perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -G | grep -v '^# (Tip:'
