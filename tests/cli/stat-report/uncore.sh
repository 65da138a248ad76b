$DATA/make-stat -o x --shape 2:1:4:1 power/energy-pkg/=1e11';cpus=0,4' cycles=1e9; perf stat report --per-socket -i x
