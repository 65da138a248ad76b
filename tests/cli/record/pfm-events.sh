# libpfm4's names, and its groups; its words for what it doesn't know
ldconfig -p | grep -q libpfm.so.4 || { echo "libpfm4 is not installed" >&2; exit 77; }
perf record -q -o /dev/null -e cs true 2>/dev/null || { echo "this machine lets nobody record" >&2; exit 77; }
perf record -q -o pfm.data --pfm-events '{perf::TASK-CLOCK:u,perf::PAGE-FAULTS},PERF_COUNT_SW_CONTEXT_SWITCHES:period=7' true
perf evlist -g -i pfm.data
perf evlist -v -i pfm.data | grep -o -e '^[^ ]*' -e 'type: 1.*config: 0x[0-9]' -e 'sample_freq }: [0-9]*' -e 'exclude_kernel: 1'
perf record -q -o pfm.data -e perf::TASK-CLOCK:u true
perf evlist -i pfm.data
perf record --pfm-events perf::NO-CLOCK true || echo "$?"
perf record --pfm-events '{perf::TASK-CLOCK' true || echo "$?"
perf record --pfm-events 'perf::TASK-CLOCK,,' true || echo "$?"
