# The weight of a branch is the cycles of the last one, at least 1, as with perf.
perf report --stdio -f --symfs $DATA/root -i $DATA/blocks.data -b -s local_weight,weight 2>/dev/null | grep -v '^# (Tip:'
