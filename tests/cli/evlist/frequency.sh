for f in $DATA/*.data; do perf evlist -F -i $f; done
