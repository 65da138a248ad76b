# samples that are not exact go to the instruction before, where only that one can have run; exact ones stay
ln -s $DATA data
perf annotate --stdio -f --symfs data/root -i data/chains.data >text 2>why || true
if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
ask() { echo "== $*"; perf annotate -f --symfs data/root "$@" -n 2>&1 | grep -E '^ +[1-9][0-9]* |^skid|^perf:'; }
ask -i data/chains.data --stdio
ask -i data/chains.data --stdio --skid
# every second sample of a hardware event is exact
python3 - data/chains.data exact.data <<'PY'
import struct, sys
b = bytearray(open(sys.argv[1], "rb").read())
attrs, _, at, size = struct.unpack_from("<4Q", b, 24)
struct.pack_into("<I", b, attrs, 0)
flags, = struct.unpack_from("<Q", b, attrs + 40)
struct.pack_into("<Q", b, attrs + 40, flags | 2 << 15)
end, n = at + size, 0
while at < end:
    kind, misc, size = struct.unpack_from("<IHH", b, at)
    if kind == 9:
        n += 1
        struct.pack_into("<H", b, at + 4, misc | (n % 2) << 14)
    at += size
open(sys.argv[2], "wb").write(b)
PY
ask -i exact.data --stdio
ask -i exact.data --stdio --skid
ask -i exact.data --stdio2 --skid
perf report --stdio -f -i exact.data --symfs data/root -s exact -n 2>/dev/null | grep -v '^#' | grep .
