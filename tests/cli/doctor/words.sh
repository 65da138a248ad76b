perf doctor now || echo "status $?"
perf doctor >out || true
sed -n 's/^\([a-z][^:]*[^ :]\) *: .*/\1/p' out | grep -e 'own programs' -e 'whole machine'
grep -c '^# perf .* on Linux .*, .*, as ' out
