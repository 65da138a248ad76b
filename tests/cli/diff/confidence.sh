# a recording against itself: every delta is noise
cd $DATA && perf diff --confidence -s dso wide.data wide.data 2>/dev/null
perf diff --confidence pipe.data wide.data && exit 1
perf diff --confidence -c ratio wide.data wide.data || exit 0
