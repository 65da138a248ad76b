# --debug is refused: it would do nothing
perf list --debug 2>&1 || echo "$?"
