for group in --group --no-group; do
	perf report --stdio -f --symfs $DATA/root -i $DATA/pipe.data -g none $group | grep -v '^# (Tip:'
done
