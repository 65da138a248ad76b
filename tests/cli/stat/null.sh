perf stat -n sh -c 'exit 3'
