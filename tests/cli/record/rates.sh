# a rate is given once, and the highest one is told
perf record -c 1000 -F 99 -o out true || echo "$?"
perf record -F max -e cpu-clock:u -o out --dry-run true 2>&1 | sed -E "s/[0-9]+ Hz/N Hz/"
