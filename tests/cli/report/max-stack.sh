perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --max-stack 3 | grep -v '^# (Tip:'
