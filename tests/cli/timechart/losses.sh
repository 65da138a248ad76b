# records lost in the middle, and what is not as it was written around them: the picture is drawn, and what may be wrong in it is said
$DATA/lose $DATA/sched.data lost.data
perf timechart -f -i lost.data -o chart.svg 2>&1 | grep lost
perf timechart -f -i lost.data -o chart.svg --strict 2>/dev/null || echo "status $?"
grep -c '^</svg>' chart.svg
