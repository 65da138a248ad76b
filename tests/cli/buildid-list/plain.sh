for f in $DATA/*.data; do perf buildid-list -i $f; done
