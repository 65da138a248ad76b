perf report --stdio -f --symfs $DATA/root -i $DATA/comms.data -q -c first -s comm,sym
