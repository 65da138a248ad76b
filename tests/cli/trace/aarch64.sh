# a recording of another processor has that one's calls: here numbers of x86-64 are read as those of aarch64, where 0 (read) is
# io_setup, 9 (mmap) lgetxattr, 59 (execve) pipe2, 158 (arch_prctl) getgroups, 218 (set_tid_address) request_key, and 257 is free
LC_ALL=C sed 's/x86_64\x0\x0/aarch64\x0/' $DATA/calls/threads.data >aarch64.data
perf report --header-only -i aarch64.data | grep '^# arch'
perf trace -i $DATA/calls/threads.data -e read,execve,arch_prctl,set_tid_address 2>&1
perf trace -i aarch64.data -e io_setup,pipe2,getgroups,request_key 2>&1
perf trace -i aarch64.data 2>&1 | grep -c 'syscall_0x101('
perf trace -i aarch64.data -s 2>&1 | grep 'lgetxattr'
perf trace -i $DATA/calls/threads.data -s 2>&1 | grep 'mmap'
