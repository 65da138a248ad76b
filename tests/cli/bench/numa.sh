# tasks go through all the memory, whatever the order; what is not there is said
perf bench numa
numbers() { tr '\r' '\n' | grep -v '^ # .*mins' | sed -E "s/ +[0-9]+\\.[0-9]+/ N/; s/on [0-9]+ nodes, [0-9]+ CPUs/on this machine/"; }
perf bench numa mem -p 2 -t 2 -P 2 -T 1 -l 3 | numbers
perf bench numa mem -p 1 -t 2 -T 1 -l 2 -zZq --no-data_rand_walk | numbers
# 2 processes of 2 threads, 5 rounds: of 1 MB, twice 2 MB, 1 MB and 1 MB
perf bench numa mem -p 2 -t 2 -G 1 -P 2 -L 1 -T 1 -l 5 | sed -n "s/ *main, *\\([0-9.]*\\), GB, *data-total/\\1/p"
for words in "-p 0" "-t 5000" "-G x" "-P 1 -L 2" "-C 0-" "-C x" "-M 1-0"; do
	perf bench numa mem -l 1 $words 2>err >out && echo "$words: 0"
	cat err
done
perf bench numa mem -l 1 -C 999999 | sed -E "s/only [0-9]+ CPUs/only so many CPUs/" | tail -2
perf bench -f json numa mem -p 1 -t 1 -l 1 | grep -o '"name": "[^"]*"'
