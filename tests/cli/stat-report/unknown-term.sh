$DATA/make-stat -o x --version-tag cs=5; perf stat report -i x
