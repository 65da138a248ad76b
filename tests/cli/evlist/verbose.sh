for f in $DATA/*.data; do perf evlist -v -i $f; done
