perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --time 0%-50% -s comm | grep -v '^# (Tip:'
