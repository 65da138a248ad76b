# what is done is what is said
numbers() { sed -E 's/[0-9]+\.[0-9]{3,6}/N/g; s/[0-9]+ ops\/sec/N ops\/sec/; s/  +/ /g'; }
perf bench sched pipe -l 50 | numbers
perf bench sched pipe -T -l 50 | numbers
perf bench sched messaging -g 2 -l 3 | numbers
perf bench sched messaging -g 1 -l 3 -p -t | numbers
perf bench syscall basic -l 500 | numbers
perf bench syscall basic -l 0 | grep Executed
perf bench syscall fork -l 3 | numbers
perf bench syscall execve -l 2 | numbers
perf bench -f simple sched pipe -l 10 | numbers
perf bench mem find_bit -i 2 -j 1 | grep -c operations
perf bench mem memcpy -s 10KB -k 3KB -f default | grep -v /sec
perf bench mem mmap -s 64KB -f populate | grep -v /sec
# several runs: the head says how many, and what the interval covers
perf bench -r 7 sched pipe -l 5 | sed -n 's/^# \([0-9]* runs: .*\)/\1/p'
perf bench -r 7 sched pipe -l 5 | grep -c '^# .* (.* to .*) \[.*, .*\]'
perf bench -r 3 -f json syscall basic -l 5 | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["benchmark"], [v["name"] for v in d["values"]], [len(v["runs"]) for v in d["values"]])
for v in d["values"]:
    assert v["least"] <= v["low"] <= v["median"] <= v["high"] <= v["most"], v
    assert sorted(v["runs"])[1] == v["median"], v'
for words in '' -T -n '-n -T'; do
	perf bench sched pipe -l 300 $words | grep Executed
done
# futexes: all that sleep are woken or moved, whatever the steps
for words in 'wake -w 2' 'wake -S' 'wake-parallel -w 3' 'requeue -q 4' 'requeue -B' 'requeue -p' 'requeue -p -q 3'; do
	echo "$words"
	perf bench -r 2 futex $words -t 6 | grep -v '^# ' | sed -E 's/ [0-9]+\.[0-9]+/ N/g; s/PID [0-9]+/PID/; s/0x[0-9a-f]+/AT/g; s/\+-[0-9.]+/+-N/; s/\([0-9]\+[0-9]\)/(woken)/'
done
perf bench -f json futex wake -t 2 | grep -o '"name": "[^"]*"'
perf bench internals inject-build-id -i 1 -m 3 -n 4 -v | grep -v -e Average -e Child
perf bench internals synthesize -i 2 | grep -c Average
