# accesses that are chosen: as many as `script` shows of them, and the tables are made of these alone
total() { perf c2c report -f -i $DATA/memory.data --stats "$@" | awk '/Total records/ { printf "%d", $4 }'; }
accesses() { perf script -f -i $DATA/memory.data -F tid "$@" | wc -l; }
for choice in "-C 1,3" "--pid 100" "--tid 101,202" "--comms second" "--time 0.00005,0.0001" "-C 0 --pid 200 --time 0.00005,"; do
	told=$(total $choice) there=$(accesses $choice)
	echo "$choice: $told"
	test "$told" -eq "$there" || echo "  script has $there"
done
perf c2c report -f -i $DATA/memory.data --no-source -x ';' --pid 100 | sed -n '/^line;offset/,$p' | cut -d ';' -f 1-12 | head -4
perf c2c report -f -i $DATA/memory.data -C nothing 2>&1 || :
perf c2c report -f -i $DATA/memory.data --time nothing 2>&1 || :
