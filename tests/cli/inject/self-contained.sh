# a program of long ago, none of whose files are here: what is added tells no names, and the texts stay
for name in chains wide pipe compressed dwarf deferred; do
	perf inject --self-contained -i $DATA/$name.data -o new.data
	with=
	[ $name != dwarf ] || with=--convert-callchain # copies of stacks become call chains
	perf inject $with -i $DATA/$name.data -o old.data
	for form in "script" "script -F +srcline" "report --stdio -s dso,sym -g none" "report --stdio --no-children -g caller"; do
		perf $form -i old.data >before 2>before.err || true # wide has no call chains
		perf $form -i new.data >after 2>after.err || true
		cmp before after && cmp before.err after.err
	done
	perf evlist -i new.data | grep contained || echo "$name: nothing was looked up"
done
try() { perf inject --self-contained "$@" && status=0 || status=$?; echo "$status: ${*##*/data/}"; }
try -i $DATA/chains.data >out
cat out
try -i $DATA/chains.data -o -
try -i $DATA/chains.data -o /dev/null
# the bytes before what was added are those of a file without it
perf inject -i $DATA/chains.data -o plain.data
perf inject --self-contained -i $DATA/chains.data -o full.data
size=$(($(stat -c %s plain.data) - 48))
cmp -n $size plain.data full.data && echo "the first $size bytes are the same"
# one bit of it
python3 - full.data <<'X'
import struct, sys
with open(sys.argv[1], "r+b") as f:
    data = f.read()
    at = data.rindex(struct.pack("<II", 0x46524550, 243)) - 20
    f.seek(at)
    f.write(bytes([data[at] ^ 1]))
X
perf report --stdio -s sym -g none -i full.data >/dev/null && status=0 || status=$?
echo "damaged: $status"
