# what each analyser says of records that were lost in the middle of its recording
for name in sched kwork allocators/locks allocators/kmem kvm; do
	$DATA/lose $DATA/$name.data $(basename $name).data
done
ask() {
	file=$1
	shift
	echo "== perf $*"
	perf "$@" -f -i $file.data 2>&1 >/dev/null | grep lost || echo nothing
	perf "$@" -f -i $file.data --strict >/dev/null 2>&1 || echo "status $?"
}
for how in latency map timehist "timehist -s" "replay -r 1"; do ask sched sched $how; done
for how in report latency timehist top; do ask kwork kwork $how; done
for how in report contention "info -m"; do ask locks lock $how --output /dev/null; done
for how in stat "stat --page" "stat --leaks"; do ask kmem kmem $how; done
ask kvm kvm stat report
ask sched timechart -o chart.svg
# waits that end after the loss
ask sched sched latency --time 50%-100%
