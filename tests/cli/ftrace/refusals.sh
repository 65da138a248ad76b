# what cannot be, with the settings as they were
. "$DATA/../cli/ftrace/lib"
make_tracefs
settings >before
for words in "latency true" "latency -T a -T b true" "trace -t nop true" "trace --graph-opts depth=x true" "trace --graph-opts tial true" \
	"trace --func-opts args true" "profile -s size true" "trace --graph-opts retval true"; do
	perf ftrace $words >out 2>&1 || echo "$words: $?"
	grep -v '^#' out | sed "s|$PWD||" | head -2
done
perf ftrace -- ./no-such-program 2>&1 | tail -1
settings | diff before - && echo "put back"
echo function >debug/tracing/current_tracer
perf ftrace true 2>&1 | sed "s|$PWD||" || true
echo nop >debug/tracing/current_tracer
echo 'blk nop' >debug/tracing/available_tracers
perf ftrace true 2>&1 || echo $?
for words in "-b -T vfs_*" "-b" "-e a,b" "-b -e a" "-b -e a," "-b -e a,b,c" "-b -e a,b -T vfs_read"; do
	perf ftrace latency $words true 2>&1 || echo "$words: $?"
done
rm debug/tracing/available_filter_functions
perf ftrace -F 2>&1 | head -1
