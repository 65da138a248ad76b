kmem() { perf kmem -f -i $DATA/allocators/kmem.data "$@" stat; }
kmem --leaks -l 4
kmem --slab --leaks -l 2 --raw-ip
kmem --page --leaks -l 3
kmem --slab --page --leaks -l 1
kmem --leaks -l 0
kmem --leaks -j 2>&1 | head -1
