perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g caller -s comm,dso,symbol | grep -v '^# (Tip:'
