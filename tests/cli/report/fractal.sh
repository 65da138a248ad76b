perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g fractal,0.5,caller,function,percent | grep -v '^# (Tip:'
