# another order of the parts, one sum of imbalances, domains without names
perf sched stats report -v -f -C 1 -i $DATA/schedstat/v15.data
perf sched stats report -f -i $DATA/schedstat/v16.data | grep -A 11 "^CPU 0, DOMAIN 1"
