for words in "-e nosuchcall" "-e opnat" "-e read -e !write" "--summary-mode cpu -s" "--summary-mode cgroup -S" "--summary-mode cgroup -s --sched" "--no-syscalls" "--errno-summary" "--string-size 5000" "-m 3000000000000" "--filter-pids x" "--buffers 1,x" "--buffers 4000" "--buffers 1 -s" "--buffers 1 -j"; do
	perf trace $words true || echo "$words: $?"
done 2>&1
perf trace -i $DATA/group.data 2>&1
perf trace --buffers 1 -i $DATA/calls/threads.data 2>&1
# what other versions have
for o in "--print-sample -s" "--call-graph fp -s" "--kernel-syscall-graph -j" --tool_stats "--map-dump x" --force-btf; do perf trace $o true 2>&1 | head -1; done
