export PERF_CONFIG=$PWD/config
perf config report.percent-limit=3 pager.evlist=false 'a.quoted= x # y'
cat config
perf config --list 2>err
cat err
perf config report.sort-order=dso 'session-a.run= -e cycles' core.proc-map-timeout=no
perf config --list 2>&1 >/dev/null
perf record -o /dev/null true 2>&1 | head -1
perf config pager.evlist not.there
printf '[broken\n' >config
perf config --list
