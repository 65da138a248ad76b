# --debug-file: a file that cannot be written is refused before anything is done
perf --debug-file none/such record -o x.data true
