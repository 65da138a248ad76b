# libpfm4's names, each with what else it is called and what it is
ldconfig -p | grep -q libpfm.so.4 || { echo "libpfm4 is not installed" >&2; exit 77; }
perf list pfm | grep -A1 -e '^perf:' -e 'perf::TASK-CLOCK' -e 'perf::PERF_COUNT_HW_CACHE_DTLB:READ'
perf list --no-desc pfm | grep perf::TASK-CLOCK
perf list -j pfm | grep -B3 -A5 '"perf::TASK-CLOCK"'
