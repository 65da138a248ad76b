perf trace -i $DATA/calls/threads.data -S -T --no-comm -e futex,clone3,mprotect,exit* 2>&1
perf trace -i $DATA/calls/threads.data -s -e "!mmap,%file" --summary-mode total 2>&1
perf trace -i $DATA/calls/threads.data -s --errno-summary -e openat,access 2>&1
