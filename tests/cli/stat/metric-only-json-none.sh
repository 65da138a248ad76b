# Metrics of counts that are not there: no object, rather than one without an end.
export COUNTERS="0:0=10 0:1=none" ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
export LD_PRELOAD=$PROGRAMS/libcounters.so
perf stat --metric-only -j -e cycles,instructions true 2>&1
