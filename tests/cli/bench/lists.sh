perf bench
perf bench sched
perf bench mem
perf bench internals
perf bench uprobe
for words in 'nothing' 'sched nothing' 'all more' 'sched all more' 'sched pipe more' 'sched pipe -G a' 'sched pipe -G a,' 'sched pipe -G /no/such/group,b' '-r 0 sched pipe' '-f wild sched pipe' 'mem memcpy -s 0' 'mem memset -s abc' \
	'mem mmap -p 3KB' 'mem memcpy -p 3KB' 'mem memset -k x' 'sched pipe --loops' \
	'futex wake-parallel -t 4 -w 3' 'futex hash -f 0' 'epoll ctl -f 0' 'internals synthesize -m 3 -M 2' 'breakpoint thread -t 0'; do
	perf bench $words >out 2>err || echo "$words: $?"
	head -1 err
done
perf bench mem memcpy -f default -s 1KB -l 3 | sed -E 's/^ [ 0-9.]{14} ..\/sec$/RATE in 15 columns/'
perf bench -f simple mem memset -f default -s 1KB -l 3 | sed -E 's/^[0-9]+\.[0-9]+$/RATE/'
perf bench mem memset -f nothing | head -3
