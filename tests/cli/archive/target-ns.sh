# Whose files: a process that is there.
perf buildid-cache --target-ns -5 -a /bin/true || echo "status $?"
perf buildid-cache --target-ns x -a /bin/true || echo "status $?"
perf buildid-cache --target-ns 4194999 -a /bin/true || echo "status $?"
