perf trace -i $DATA/calls/threads.data --failure 2>&1
perf trace -i $DATA/calls/threads.data --duration 0.05 --show-cpu 2>&1
perf trace -i $DATA/calls/threads.data --max-events 2 2>&1
PERF_CONFIG=/dev/stdin perf trace -i $DATA/calls/threads.data -e openat,mmap --max-events 3 2>&1 <<END
[trace]
	show_prefix = true
	show_zeros = true
	args_alignment = 40
	show_duration = no
END
