perf check || echo "status $?"
perf check nonsense || echo "status $?"
perf check feature || echo "status $?"
perf check feature a b || echo "status $?"
