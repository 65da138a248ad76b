perf bench
perf bench sched
perf bench mem
for words in 'nothing' 'sched nothing' 'sched pipe more' '-r 0 sched pipe' '-f wild sched pipe' 'mem memcpy -s 0' 'mem memset -s abc' \
	'mem mmap -p 3KB' 'sched pipe --loops'; do
	perf bench $words >out 2>err || echo "$words: $?"
	head -1 err
done
perf bench mem memcpy -f default -s 1KB -l 3 | sed -E 's/[0-9]+\.[0-9]+ ..\/sec/RATE/'
perf bench -f simple mem memset -f default -s 1KB -l 3 | sed -E 's/^[0-9]+\.[0-9]+$/RATE/'
perf bench mem memset -f nothing | head -3
