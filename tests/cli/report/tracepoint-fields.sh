perf report --stdio -f --symfs $DATA/root -i $DATA/switches.data -s prev_comm,next_comm,prev_state | grep -v '^# (Tip:'
