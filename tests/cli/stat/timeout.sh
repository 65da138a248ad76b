# A command that is ended by --timeout makes no failure.
perf stat -n --timeout 100 -o out sleep 10
grep -c 'seconds time elapsed' out
