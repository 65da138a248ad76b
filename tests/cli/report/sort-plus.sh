perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children -s +pid | grep -v '^# (Tip:'
