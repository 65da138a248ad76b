# without a trace there is nothing to decode; samples go when they are to
perf inject --itrace -i $DATA/chains.data -o out.data
perf report --stats -i out.data | grep -c SAMPLE
perf inject --itrace --strip -i $DATA/chains.data -o out.data
perf report --stats -i out.data | grep -c SAMPLE || true
