perf report --stdio -f --symfs $DATA/root -i $DATA/group.data -s trace_fields | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/chains.data -g none -s comm,trace_fields/raw | grep -v '^# (Tip:'
