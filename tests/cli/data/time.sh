# Only the samples of a span of time are converted, and the span may be wrong.
cp $DATA/chains.data .
perf script -i chains.data --time 20%-60% -F time | sed 's/[ :]//g' >asked
perf data convert --time 20%-60% --to-json out -i chains.data 2>&1
sed -n 's/.*"timestamp": \([0-9]*\),/\1/p' out | sed 's/\(......\)...$/.\1/' | diff - asked && wc -l <asked
perf data convert --time 20%-60% --to-sqlite db -i chains.data 2>&1
perf data convert --time nonsense --to-json other -i chains.data 2>&1 || echo "status $?"
ls
