# ARM: Thumb code by its mapping symbols, by bit 0 of a function's value without them; the other encoding beside it
cat >make.py <<'PY'
import os, struct, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import made

THUMB = bytes.fromhex("80b5 0120 0130 0a28 fcd1 80bd".replace(" ", ""))  # 0x10074
ARM = struct.pack("<III", 0xe3a00001, 0xe2800001, 0xe12fff1e)  # 0x10080
CODE, BASE = THUMB + ARM, 0x10000

def elf(path, marks):
    symbols = [("", 0, 0, 0, 0)]
    if marks:
        symbols += [("$t", 0x74, 0, 0, 1), ("$a", 0x80, 0, 0, 1)]
    symbols += [("short_code", 0x74 | 1, len(THUMB), 0x12, 1), ("long_code", 0x80, len(ARM), 0x12, 1)]
    names = b"\0"
    table = b""
    for name, value, size, info, section in symbols:
        table += struct.pack("<IIIBBH", len(names) if name else 0, value and BASE + value, size, info, 0, section)
        names += name.encode() + b"\0" if name else b""
    titles = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    body = b"\0" * (0x74 - 52 - 32) + CODE
    at = 0x74 + len(CODE)
    places = [at, at + len(table), at + len(table) + len(names)]
    end = places[2] + len(titles)
    head = b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, BASE + 0x74, 52, end, 0x5000400, 52, 32, 1, 40, 5, 4)
    segment = struct.pack("<8I", 1, 0, BASE, BASE, at, at, 5, 0x1000)
    sections = bytes(40) + struct.pack("<10I", 1, 1, 6, BASE + 0x74, 0x74, len(CODE), 0, 0, 4, 0)
    sections += struct.pack("<10I", 7, 2, 0, 0, places[0], len(table), 3, 1, 4, 16)
    sections += struct.pack("<10I", 15, 3, 0, 0, places[1], len(names), 0, 0, 1, 0)
    sections += struct.pack("<10I", 23, 3, 0, 0, places[2], len(titles), 0, 0, 1, 0)
    open(path, "wb").write(head + segment + body + table + names + titles + sections)

elf("marked", True)
elf("unmarked", False)
for name in "marked", "unmarked":
    r = made.Recording()
    cycles = r.event("cycles:u", 0, 0, made.IP)
    r.comm(7, 7, "arm")
    r.mmap2(7, BASE, 0x1000, 0, f"{sys.argv[2]}/{name}")
    for i, ip in enumerate((0x74, 0x78, 0x78, 0x7c, 0x80, 0x84)):
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
