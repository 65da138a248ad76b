perf --list-opts
perf version --list-opts
