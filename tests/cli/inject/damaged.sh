# what can be read is written, and what cannot be read is told of
head -c 5000 $DATA/chains.data >cut.data
perf inject -i cut.data -o out.data && status=0 || status=$?
echo "exit status $status"
perf script -i cut.data 2>/dev/null >before || true
perf script -i out.data >after
cmp before after
perf report --stats -i out.data | grep SAMPLE
{ head -c 3000 $DATA/chains.data; head -c 400 /dev/zero; tail -c +3401 $DATA/chains.data; } >hole.data
perf inject -i hole.data -o out.data && status=0 || status=$?
echo "exit status $status"
perf script -i hole.data >before 2>/dev/null || true
for how in '' -b; do
	perf inject $how -i hole.data -o out.data 2>/dev/null || true
	perf script -i out.data >after 2>/dev/null || true
	cmp before after
done
