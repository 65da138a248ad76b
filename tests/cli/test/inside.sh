# tests that need nothing of the machine
perf test 1 2 attributes 'demangled names'
perf test -s 1,3 1 2 3
perf test -F -r 2 2
perf test -v 2
perf test -S nothing || echo "status $?"
perf test -S -p 1 || echo "status $?"
perf test -w nothing || echo "status $?"
perf test -w noploop 0.01
perf test -w brstack 100
perf test -w leafloop 0.01
perf test -w thloop 0.01
perf test -w sqrtloop 0.01
perf test -w datasym 0.01
