cd $DATA && perf report -i deferred.data --stdio --no-children -s pid -g caller,address
