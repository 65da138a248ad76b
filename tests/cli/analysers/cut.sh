# a file whose end is missing, and with it the descriptions of its tracepoints: each analyser says so, not that events were not recorded
head -c 3000 $DATA/kwork.data >cut.data
for words in 'sched latency' 'sched timehist' 'lock report' 'lock contention' 'kmem stat' 'kmem stat --page' 'kwork report' 'kwork timehist' \
	'kwork top' 'kvm stat report' 'timechart'; do
	status=0
	perf $words -f -i cut.data 2>err || status=$?
	echo "$words: $status, $(sed 's/: .*//' err)"
done
# events of another kind
for words in 'kwork report' 'kwork latency' 'kwork timehist'; do
	perf $words -f -i $DATA/chains.data 2>&1 || true
done
# that is known of a pipe when it was read
for words in 'sched latency' 'sched map' 'sched replay -r 1' 'lock report' 'lock contention' 'kmem stat' 'kmem stat --page' 'kwork report' 'kwork top' \
	timechart; do
	status=0
	perf $words -i - <$DATA/pipe.data >out 2>err || status=$?
	echo "$words: $status, $(head -1 err)"
done
