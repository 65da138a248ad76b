# What can't be packed or unpacked.
perf archive --all --unpack || echo "status $?"
perf archive a b || echo "status $?"
perf archive || echo "status $?"
perf archive --unpack || echo "status $?"
perf archive --unpack missing.tar.bz2 || echo "status $?"
: >perf.1.tar.bz2
: >perf.2.tar.bz2
perf archive --unpack || echo "status $?"
