cd $DATA && perf diff -p -F chains.data wide.data 2>/dev/null
