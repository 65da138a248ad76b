perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data --comms first,third -s comm,sym | grep -v '^# (Tip:'
