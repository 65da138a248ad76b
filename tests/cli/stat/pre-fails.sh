# A --pre that fails ends it; the command is not run.
perf stat -n --pre 'exit 3' touch ran || echo "status $?"
[ ! -e ran ] || echo ran
