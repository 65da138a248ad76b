perf reprot
