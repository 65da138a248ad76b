# a reader that leaves is no error: no message, and no failure that counts
perf list | head -n 1 | wc -l
