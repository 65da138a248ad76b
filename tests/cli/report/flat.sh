perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g flat | grep -v '^# (Tip:'
