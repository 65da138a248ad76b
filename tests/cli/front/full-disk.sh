# what could not be written is an error
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
perf list >/dev/full
