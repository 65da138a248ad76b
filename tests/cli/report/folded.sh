perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g folded,0.5,callee,function,count | grep -v '^# (Tip:'
