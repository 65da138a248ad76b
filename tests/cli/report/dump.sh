perf report --stdio -f --symfs $DATA/root -D -i $DATA/chains.data | grep -v '^# (Tip:'
