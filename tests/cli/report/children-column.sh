# A column that -F names is there without callers' sums, and says so; -F + adds it only with them.
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -F overhead_children,comm,sample | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -F +overhead_children -s comm | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/group.data --group -F sym,overhead_children -w 12 2>/dev/null | grep -v '^# (Tip:'
perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -F overhead_children,comm -t , | grep -v '^# (Tip:'
