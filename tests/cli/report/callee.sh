perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g callee -s comm | grep -v '^# (Tip:'
