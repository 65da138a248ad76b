cd $DATA && perf diff -t , -c wdiff:1,2 -s comm,dso,symbol chains.data chains.data 2>/dev/null
