# a part of the map, in which tasks have the same short names
map() { perf sched map -f -i $DATA/kwork.data "$@"; }
map | sed -n '6,11p'
echo "the same rows; what runs on the other CPU is named first"
map --time 1.0003,1.0012
echo "on one CPU"
map --time 1.0003,1.0012 --cpus 0
map --time 3,4
map --time x 2>&1 || echo "$?"
