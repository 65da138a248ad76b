# what every kernel has; its order, and the other names
perf list sw >list
grep -v -e cgroup-switches -e bpf-output list
echo --
perf list --raw-dump 'user_t*'; echo
echo --
perf list tool
