# metrics of the vendor's lists need no PMU to be shown; a directory that is none is said
export PERF_CPUID=TestVendor-6-10-1
perf list --events-dir "$DATA/vendor/perfmon" toy_
perf list --details --events-dir "$DATA/vendor/perfmon" toy_cpi
perf list --raw-dump --events-dir "$DATA/vendor/perfmon" toy_
perf list --cputype small --events-dir "$DATA/vendor/perfmon" toy_busy
perf list --events-dir nowhere toy_ || echo "$?"
