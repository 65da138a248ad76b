kmem() { perf kmem -f -i $DATA/allocators/kmem.data "$@" stat; }
kmem --caller --alloc -l 5
kmem --page --caller --alloc
kmem --page --alloc --live
kmem --slab --page --alloc -l 3 -x,
kmem --caller -j
# -s adds keys to those of the -s before it
kmem --alloc -s hit -s bytes -l 4
