perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children --hierarchy -s comm,dso,sym | grep -v '^# (Tip:'
