perf version --build-options | grep -q ' bpf: \[ on' || { echo "perf is built without BPF" >&2; exit 77; }
for words in "-b x true" "-b 1,,2 true" "-b 0 true" "-b -1 true"; do
	echo "$words"
	perf stat -e task-clock $words && exit 1 || echo "status $?"
done 2>&1
