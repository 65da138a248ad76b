perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --percent-limit 30 | grep -v '^# (Tip:'
