# the page is that of report; what is about text is refused
perf script --html a.html -f -i $DATA/chains.data --symfs $DATA/root --comms calls --no-inline 2>&1 | sed 's/, [0-9.]* KiB//'
perf report --html b.html -f -i $DATA/chains.data --symfs $DATA/root --comms calls --no-inline 2>/dev/null
cmp a.html b.html && echo "the same page"
perf script --html c.html -i $DATA/chains.data --ns || echo "status $?" >&2
perf script --html c.html -i $DATA/chains.data --show-mmap-events || echo "status $?" >&2
perf script --html c.html -i $DATA/chains.data -F +srcline || echo "status $?" >&2
ls c.html 2>/dev/null || echo "no page"
perf script --html no/such/folder -f -i $DATA/chains.data || echo "status $?" >&2
