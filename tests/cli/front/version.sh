# the version is the same however it is asked for
perf --version >a
perf -v >b
perf version >c
cmp a b
cmp a c
perf -vv | grep -c ': \[ [oO]' >n
[ "$(cat n)" -gt 10 ]
perf version --build-options | grep zstd
# on is what works, by whatever library; off is what isn't there
perf version --build-options | grep -e ' dwarf:' -e unwind -e libcrypto -e libbfd -e python -e libslang -e get_cpuid
