# Wrong combinations: one line that says so, and status 129.
try()
{
	status=0
	perf stat "$@" true >out 2>err || status=$?
	echo "$status $*: $(head -1 err)"
}
try -r 3 -I 100
try -r -1
try --table
try --interval-count 3
try --interval-clear
try --interval-clear -I 100 -o x
try --timeout 5
try --timeout 50 -I 100
try -D -2
try --per-thread
try --per-thread -C 0
try -A
try --per-core -p 1
try -A --per-core -a
try --per-socket --per-die -a
try --per-cache=x -a
try -G a -e cs
try --for-each-cgroup a -e cs
try -a -e cs -G a --for-each-cgroup b
try -a -e cs -G a,b
try -x, -B
try -o x --log-fd 1
try --metric-only -r 3
try --metric-only --per-thread -p 1
try --all-user --all-kernel
try --cputype small
try -e nonsense
try -e cs --filter 'a == 1'
try --filter 'a == 1'
try -M no_such_metric
try --control nothing
try -C x
try -p x
try -t x
try -I x
