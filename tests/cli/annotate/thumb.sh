# ARM: Thumb code by its mapping symbols, by bit 0 of a function's value without them; the other encoding beside it
cat >make.py <<'PY'
import os, struct, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import made

THUMB = bytes.fromhex("80b5 0120 0130 0a28 fcd1 80bd".replace(" ", ""))  # 0x10080
ARM = struct.pack("<III", 0xe3a00001, 0xe2800001, 0xe12fff1e)  # 0x1008c
BASE = 0x10000

MARKS = [("$t", 0, 0, 0), ("$a", 12, 0, 0)]
FUNCTIONS = [("short_code", 1, len(THUMB), 0x12), ("long_code", 12, len(ARM), 0x12)]
for name, symbols in ("marked", MARKS + FUNCTIONS), ("unmarked", FUNCTIONS):
    made.elf(name, 40, 32, False, 0x5000400, BASE, THUMB + ARM, symbols)
    r = made.Recording()
    cycles = r.event("cycles:u", 0, 0, made.IP)
    r.comm(7, 7, "arm")
    r.mmap2(7, BASE, 0x1000, 0, f"{sys.argv[2]}/{name}")
    for i, ip in enumerate((0x80, 0x84, 0x84, 0x88, 0x8c, 0x90)):
        r.sample(cycles, 1000 + i, ip=BASE + ip, pid=7, tid=7)
    r.write(name + ".data")
PY
python3 make.py "$DATA" "$PWD"
for name in marked unmarked; do
	for function in short_code long_code; do
		perf annotate --stdio -f -i $name.data -s $function 2>why >text || true
		if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
		cat text
	done
done
