# The kernel's timer behind the clocks goes off every 10 us at most.
for o in "-e cpu-clock -c 1000" "-e task-clock -c 3000" "-e cpu-clock:u -c 9999" "-e cpu-clock -c 10000" \
	"-e cpu-clock/period=2500/ -c 10000" "-e page-faults -c 1000" "-e cpu-clock"; do
	echo "$o"
	perf record $o -o out true 2>&1 | grep often || :
done
