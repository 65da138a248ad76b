perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children | grep -v '^# (Tip:'
