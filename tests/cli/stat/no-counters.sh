# Of what no hardware here counts the text says so, as record does; fields and lines of JSON stay as they are.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 COUNTERS="0:*=none"
export LD_PRELOAD=$PROGRAMS/libcounters.so
for o in "-e cycles" "-e cycles,instructions,cpu-clock" "-A -a -e cycles" "-I 1000 -e cycles" "-I 1000 --summary -e cycles" \
	"-e cycles,instructions,cache-references,cache-misses,branches,branch-misses" "-e cpu-clock" \
	"-x, -e cycles" "-j -e cycles" "--quiet -e cycles"; do
	echo "$o"
	perf stat $o sleep 0 2>&1 | grep hardware || :
done
perf stat -o out -e cycles true
grep hardware out
