for f in chains switches group pipe; do perf evlist -i $DATA/$f.data; done
