# probes of files in the build-id store: read from the file, or from the text that perf keeps beside it;
# those that two files have say whose they are
store=$HOME/.debug
entry()
{
	mkdir -p "$store/$1/$2" "$store/.build-id/$(printf %.2s "$2")"
	ln -s "../../$1/$2" "$store/.build-id/$(printf %.2s "$2")/${2#??}"
}
entry opt/toy 1111111111111111111111111111111111111111
cp "$PROGRAMS/sdt" "$store/opt/toy/1111111111111111111111111111111111111111/elf"
perf list sdt
echo --
entry opt/text 2222222222222222222222222222222222222222
printf '%s\n' '%sdt_toy:start=start' 'p:sdt_toy/start /opt/text:0x10' '%probe_text:mine=mine' \
	'%sdt_more:one=one' '%sdt_broken' >"$store/opt/text/2222222222222222222222222222222222222222/probes"
entry opt/cut 3333333333333333333333333333333333333333
head -c 9000 "$PROGRAMS/sdt" >"$store/opt/cut/3333333333333333333333333333333333333333/elf"
perf list sdt
echo --
perf list 'sdt_toy:sta*'
perf list --raw-dump sdt; echo
perf list -j 'sdt_more:*'
echo --
perf --buildid-dir "$PWD/nowhere" list sdt
