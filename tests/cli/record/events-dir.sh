# the vendor's lists: whose CPU it is, and what cannot be read
export PERF_CPUID=TestVendor-6-10-1
perf record --dry-run --events-dir "$DATA/vendor/perfmon" -e toy_cache.fill true || echo "$?"
perf record --dry-run --events-dir nowhere -e cs true || echo "$?"
mkdir lists
echo '[{"EventName": "a",' >lists/a.json
perf record --dry-run --events-dir lists -e cs true || echo "$?"
cp "$DATA/vendor/perfmon/mapfile.csv" lists
PERF_CPUID=TestVendor-7-1-1 perf record --dry-run --events-dir lists -e cs true || echo "$?"
# from the configuration, too
printf '[events]\n\tdir = nowhere\n' >config
PERF_CONFIG=$PWD/config perf record --dry-run -e cs true || echo "$?"
