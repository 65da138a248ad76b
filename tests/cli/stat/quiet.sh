# No word, but the command's status.
perf stat --quiet -n sh -c 'exit 4'
