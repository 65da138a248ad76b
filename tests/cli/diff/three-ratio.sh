cd $DATA && perf diff -c ratio -s dso -o 2 chains.data wide.data comms.data 2>/dev/null
