cd $DATA && perf script -i deferred.data -F tid,time,ip
