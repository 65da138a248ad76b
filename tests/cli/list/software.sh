# what every kernel has; its order, and the other names
perf list sw >list
grep -v -e cgroup-switches -e bpf-output list
echo --
perf list --raw-dump tool 'user_t*'; echo
