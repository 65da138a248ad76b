perf report -i "$DATA/comms.data" -p main
