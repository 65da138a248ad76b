export PERF_CONFIG=$PWD/config
perf config report.percent-limit=3 pager.evlist=false 'a.quoted= x # y'
cat config
perf config --list
perf config pager.evlist not.there
printf '[broken\n' >config
perf config --list
