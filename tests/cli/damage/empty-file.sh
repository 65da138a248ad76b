: >empty.data
perf report --stdio -i empty.data
