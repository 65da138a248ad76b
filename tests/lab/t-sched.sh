# The scheduler's statistics: what sched stats says lies between what the kernel says inside and outside of the measured time.
# guests: x86-6.1 x86-6.12 arm64-6.*
. /lab/lib.sh

switch=/proc/sys/kernel/sched_schedstats
[ -r /proc/schedstat ] || { skip "sched stats" "this kernel counts nothing for it"; finish; }
# sum COLUMN FILE: of the CPUs' lines
sum() { awk -v c="$1" '/^cpu/ { s += $(c + 1) } END { print s + 0 }' "$2"; }
# rows NAME FILE: the sum of a row over all CPUs, without the average
rows() { awk -v n="$1" '/^CPU <ALL/ { on = 0 } /^CPU [0-9]/ { on = 1 } on && $1 == n { s += $3 } END { print s + 0 }' "$2"; }
between() { # NAME: the row of stats.txt; COLUMN in the files
	low=$(($(sum "$2" inner2.txt) - $(sum "$2" inner1.txt)))
	high=$(($(sum "$2" outer2.txt) - $(sum "$2" outer1.txt)))
	got=$(rows "$1" stats.txt)
	echo "$got is not from $low to $high" >wrong.txt
	if number_between "$got" 1 "$high" && number_between "$got" "$low" "$high"; then ok "$1 of $3"; else not_ok "$1 of $3" wrong.txt; fi
}
cat >inner.sh <<'END'
cat /proc/schedstat >inner1.txt
sleep 0.2
cat /proc/schedstat >inner2.txt
END
echo 0 >$switch
cat /proc/schedstat >outer1.txt
"$PERF" sched stats record -o stats.data sh inner.sh 2>said.txt
cat /proc/schedstat >outer2.txt
"$PERF" sched stats report -i stats.data >stats.txt
between sched_count 3 "a recording"
between rq_cpu_time 7 "a recording"
check "the statistics are off again" grep -q 0 $switch
cat /proc/schedstat >outer1.txt
"$PERF" sched stats sh inner.sh >stats.txt
cat /proc/schedstat >outer2.txt
between sched_count 3 "the live form"
between pcount 9 "the live form"
"$PERF" sched stats diff stats.data stats.data >diff.txt
check "a recording beside itself" grep -q '^sched_count .*|     0.00% |' diff.txt
finish
