perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children -t, -n | grep -v '^# (Tip:'
