# what is wrong with an event is said once, with its place; what else can be done stays a second line
for e in nosuch cpu-clcok cycles:zz 'cycles,,faults' "cpu-clock/foo=1/" "$(printf 'cpu\033[31mclock')"; do
	perf record -e "$e" true || echo "$?"
done
perf stat -e nosuch true || echo "$?"
