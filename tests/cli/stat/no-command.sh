# A command that cannot be run
perf stat -n /no/such/command || echo "status $?"
perf stat -n /etc || echo "status $?"
perf stat -n 1 || echo "status $?"
