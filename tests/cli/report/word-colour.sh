perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g none -s comm,sym -I --stdio-color always nosuchpart | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data --no-children -g none -s comm -I --stdio-color always | grep -v '^# (Tip:'
