# tests that need nothing of the machine
perf test 1 2 attributes 'demangled names'
perf test -s 1,3 1 2 3
perf test -F -r 2 2
perf test -v 2 | sed 's/on Linux .*/on Linux ./; s/^# kernel.*/# kernel/'
perf test -S nothing || echo "status $?"
perf test -S -p 1 || echo "status $?"
perf test -w nothing || echo "status $?"
perf test -w noploop 0.01
perf test -w brstack 100
perf test -w leafloop 0.01
perf test -w thloop 0.01
perf test -w sqrtloop 0.01
perf test -w datasym 0.01
perf test -w named_threads 25 10
perf test -w landlock
perf test -w traploop 10
perf test -w inlineloop 0.01
perf test -w context_switch_loop 10
perf test -w deterministic
perf test -w callchain
perf test -w code_with_type 0.01 50
perf test -w noploop soon || echo "status $?"
perf test -w named_threads 26 || echo "status $?"
perf test -s one 1 || echo "status $?"
