# a pipe gets the recording, as perf does it: who did not ask for that is told
perf record -e cpu-clock:u --dry-run true | cat
perf record -e cpu-clock:u --dry-run -o - true | cat
perf record -e cpu-clock:u --dry-run -q true | cat
perf record -e cpu-clock:u --dry-run true >out
