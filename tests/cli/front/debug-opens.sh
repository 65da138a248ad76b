# record -vv and --debug perf-event-open show what the kernel is asked for; --debug-file takes it
perf record -q -e dummy:u -o x.data true 2>/dev/null || { echo "may not record" >&2; exit 77; }
perf --debug-file seen record -vv -e dummy:u -c 5 -o x.data true 2>said
grep -c '^perf_event_attr:$' seen | sed 's,[1-9][0-9]*,some,'
grep -x '  type                             1' seen | head -n 1
grep -x '  { sample_period, sample_freq }   5' seen
grep -cE '^sys_perf_event_open: pid -?[0-9]+  cpu -?[0-9]+  group_fd -1  flags 0x8 = [0-9]+$' seen | sed 's/[1-9][0-9]*/some/'
grep -E '^[0-9]+ counters' seen | sed 's/[1-9][0-9]*/some/g; s/,.*//'
grep -c -e perf_event_attr -e counters said || true
perf --debug perf-event-open=2 record -e dummy:u -c 5 -o x.data true 2>said
grep -c -e '^perf_event_attr:' said | sed 's,[1-9][0-9]*,some,'
grep -c -e ' counters' said || true
perf --debug perf-event-open=0 record -e dummy:u -c 5 -o x.data true 2>said
grep -c -e '^perf_event_attr:' said || true
