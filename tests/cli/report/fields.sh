perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none -F overhead,overhead_children,sample,period,comm,sym | grep -v '^# (Tip:'
