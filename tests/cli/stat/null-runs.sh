perf stat -n -r 3 --pre 'echo before' --post 'echo after' echo run
