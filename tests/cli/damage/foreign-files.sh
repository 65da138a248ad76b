# what isn't a recording is told for what it is
ask() { perf report --stdio -i "$1" 2>&1 >/dev/null || echo "$?"; }
printf 'some bytes' >short
printf '\037\213\010\000 and so on until it is long' >a.gz
printf '\375' >a.xz; printf '7zXZ\000 and so on until it is long' >>a.xz
printf 'JiTD\001\000\000\000 and so on until it is long' >a.dump
printf '\001\002\003\004\005\006\007\010 and so on until it is long' >a.bin
printf 'PERFILE2\150\000\000\000\000\000\000\000 and so on' >a.data
cp "$(command -v perf)" program
for f in short a.gz a.xz a.dump a.bin a.data program; do
	ask $f
done
perf evlist -i - <a.gz || echo "$?"
