# what timechart cannot do is refused, and each with a reason
ask() { perf timechart "$@" 2>&1 | head -2; perf timechart "$@" >/dev/null 2>&1 || echo "status $?"; }
ask -P -T
ask record -P -T true
ask record -I -T true
ask record -o x.data -I --tasks-only true
ask --io-min-time ms
ask --io-merge-dist 10s
ask --io-merge-dist 18446744073709552ms
ask nothing
ask -f -i $DATA/chains.data
ask -f -i $DATA/sched.data -o missing/chart.svg
ask --highlight 5 --highlight name
# the options of record, among those of perf record
perf timechart record -h 2>&1 || echo "status $?"
