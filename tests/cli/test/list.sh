perf test list
perf test list record 'count the'
perf test --list-workloads
