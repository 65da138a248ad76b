perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none --no-children -s pid,comm,dso,sym,period,sample -n --show-total-period | grep -v '^# (Tip:'
