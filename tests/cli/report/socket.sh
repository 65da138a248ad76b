perf report --stdio -f --symfs $DATA/root -i $DATA/wide.data -s cpu,socket,weight,local_weight | grep -v '^# (Tip:'
