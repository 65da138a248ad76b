perf report --stdio -f --symfs $DATA/root -i $DATA/group.data -s symbol_daddr,dso_daddr --mem-mode | grep -v '^# (Tip:'
