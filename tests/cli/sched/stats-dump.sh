perf report -D -f -i $DATA/schedstat/v17.data 2>/dev/null | grep -A 1 PERF_RECORD | head -5
perf report --header-only -f -i $DATA/schedstat/v17.data | grep DOMAIN
perf report --header-only -I -f -i $DATA/schedstat/v17.data | sed -n '/schedstat/,/cpu list/p'
