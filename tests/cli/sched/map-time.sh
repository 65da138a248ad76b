# a part of the map, in which tasks have the same short names
map() { perf sched map -f -i $DATA/kwork.data "$@"; }
map | sed -n '6,11p'
echo "the same rows; what runs on the other CPU is named first"
map --time 1.0003,1.0012
echo "on one CPU"
map --time 1.0003,1.0012 --cpus 0
echo "one task, which runs when the part begins and comes back"
map --time 1.00037,1.0012 --task-name :30
map --time 1.00037,1.0012 --task-name :1001
map --time 3,4
map --time x 2>&1 || echo "$?"
