# A weak group that the hardware has no room for is counted as single events, each of them.
export COUNTERS="0:0=10 0:1=20 0:2=30 0:3=40" GROUP_ROOM=2 ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
export LD_PRELOAD=$PROGRAMS/libcounters.so
perf stat -x, -e '{cycles,instructions,cache-references,cache-misses}:W' true 2>&1 | cut -d, -f1-3
