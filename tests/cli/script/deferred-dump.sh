cd $DATA && perf script -D -i deferred.data | grep -v "^\. "
