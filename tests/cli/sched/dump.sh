# -D: what perf report -D prints below its first lines, whatever the analysis
perf report -D -f -i $DATA/kwork.data | tail -n +3 >whole
for how in "kwork report" "kwork timehist" "kwork top" "lock report" "lock contention" "lock info -m" "sched latency" "sched map" \
		"sched timehist" "sched replay"; do
	perf $how -D -f -i $DATA/kwork.data 2>&1 | cmp - whole && echo "$how: $(grep -c 'raw event' whole)"
done
