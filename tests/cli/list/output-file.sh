perf list -o out.txt user_time
cat out.txt
perf list -o missing/out.txt user_time
