# code of the kernel, its modules and BPF programs: from core files of the kernel's memory beside the recording, beside --kallsyms and in the
# build-id cache (of another boot), and from the recording's list of programs
cat >make.py <<'PY'
import os, struct, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import made

TEXT, MOD, JIT = 0xffffffff81000000, 0xffffffffc0000000, 0xffffffffc0500000
ID = bytes(range(20))
ALPHA = bytes.fromhex("55 48 89 e5 31 c0 48 8b 07 e8 12 00 00 00 5d c3")  # at 0x100; calls beta, at 0x120
SECOND = bytes.fromhex("48 6b c7 07 c3")
BPF = bytes.fromhex("f3 0f 1e fa 89 f0 01 f8 e8 f3 00 b0 c0 c3"), bytes.fromhex("31 c0 c3")  # the first calls alpha
LINES = (0, 7, "int sum;"), (4, 9, "sum = a"), (6, 8, "      + b;"), (13, 10, ""), (256, 3, "return 0;")


def machine(folder, text, mod):
    kernel = b"\xcc" * 0x100 + ALPHA.ljust(0x20, b"\x90") + b"\xc3"
    module = b"\xcc" * 0x80 + SECOND
    elf = b"\x7fELF" + bytes([2, 1, 1, 0]) + bytes(8) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    at, body = 4096, b""
    for where, data in (text, kernel.ljust(4096, b"\0")), (mod, module.ljust(4096, b"\0")):
        elf += struct.pack("<IIQQQQQQ", 1, 7, at + len(body), where, 0, 4096, 4096, 4096)
        body += data
    os.makedirs(folder)
    open(folder + "/kcore", "wb").write(elf.ljust(4096, b"\0") + body)
    with open(folder + "/kallsyms", "w") as f:
        for where, name in (0, "T _stext"), (0, "T _text"), (0x100, "T alpha"), (0x120, "T beta"), (0x121, "T gamma"), (0x4000, "T _etext"):
            f.write(f"{text + where:016x} {name}\n")
        f.write(f"{mod:016x} t first\t[foo]\n{mod + 0x80:016x} t second\t[foo]\n{mod + 0x85:016x} t third\t[foo]\n")
    open(folder + "/modules", "w").write(f"foo 4096 0 - Live 0x{mod:016x}\n")


TEXTS = b"\0two\0half\0/src/filter.c\0" + b"".join(text.encode() + b"\0" for _, _, text in LINES)


def programs(arrays):
    n, data = 2, b"".join(BPF)
    data += bytes(-len(data) % 8)
    at = len(data)
    data += struct.pack("<QQ", JIT, JIT + 0x100) + struct.pack("<II", *map(len, BPF)) + bytes(range(8)) + bytes(range(8, 16))
    lines = len(data)
    for _, line, text in LINES:
        data += struct.pack("<IIII", 0, TEXTS.index(b"/src/filter.c"), TEXTS.index(text.encode() + b"\0") if text else 0, line << 10 | 5)
    jited = len(data)
    data += b"".join(struct.pack("<Q", JIT + where) for where, _, _ in LINES)
    funcs = len(data)
    data += struct.pack("<IIII", 0, 1, 8, 2)
    info = bytearray(224)
    struct.pack_into("<IIQIIQQIIII", info, 128, 3, 8, funcs, 2, len(LINES), lines, jited, len(LINES), 16, 8, 0)
    struct.pack_into("<IIQII", info, 0, 1, 7, 0, at, 0)
    struct.pack_into("<Q", info, 24, 0)
    struct.pack_into("<IIQQ", info, 104, n, n, at, at + 8 * n)
    struct.pack_into("<I", info, 180, n)
    struct.pack_into("<Q", info, 184, at + 12 * n)
    return struct.pack("<IIIQ", 1, len(info), len(data), arrays) + bytes(info) + data


def types():
    made_of = struct.pack("<IIIIII", 1, 12 << 24, 0, 5, 12 << 24, 0)
    btf = struct.pack("<HBBIIIII", 0xEB9F, 1, 0, 24, 0, len(made_of), len(made_of), len(TEXTS)) + made_of + TEXTS
    return struct.pack("<III", 1, 3, len(btf)) + btf


def recording(path, moved, arrays=1 | 0x1f << 3 | 1 << 8):
    r = made.Recording()
    e = r.event("cycles", 0, 0, made.IP)
    r.machine(arch="x86_64")
    r.features[25], r.features[26] = programs(arrays), types()
    r.comm(7, 7, "x")
    body = struct.pack("<IIQQQB3x20sII", 0xffffffff, 0, TEXT + moved, 0x4000, TEXT + moved, 20, ID, 5, 2)
    r.side(10, made.KERNEL | 1 << 14, body + made.text("[kernel.kallsyms]_text"), 0xffffffff, 0, 0, 0)
    r.mmap(-1, MOD, 4096, 0, "[foo]")
    ips = [TEXT + moved + 0x106] * 3 + [TEXT + moved + 0x109, MOD + 0x84, JIT + 4, JIT + 0x102]
    for i, ip in enumerate(ips):
        r.sample(e, 1000 + i, ip=ip, pid=7, tid=7, misc=made.KERNEL)
    r.write(path)


os.makedirs("k")
recording("k/data", 0)
machine("k/kcore_dir", TEXT, MOD)
recording("moved.data", 0x2000000)
recording("hidden.data", 0, arrays=3 << 3 | 1 << 8)
machine("box/proc", TEXT + 0x600000, MOD + 0x9000)
os.makedirs("box/sys/kernel")
open("box/sys/kernel/notes", "wb").write(struct.pack("<III", 4, 20, 3) + b"GNU\0" + ID)
PY
python3 make.py "$DATA"
perf annotate --stdio -i k -s alpha 2>why >text || true
if grep -q "no libLLVM" why; then cat why >&2; exit 77; fi
ask() { echo "== $*"; perf annotate --stdio "$@" | grep -v '^ *: *$' || true; }
ask -i k
ask -i moved.data --kallsyms=box/proc/kallsyms -s alpha
# calls have names in perf's form, and are followed in the browser; an error of several lines is a page
perf annotate --stdio2 -i moved.data --kallsyms=box/proc/kallsyms -s alpha 2>/dev/null | grep call
screen -s 60x12 'perf annotate -i moved.data --kallsyms=box/proc/kallsyms alpha' '/callq<enter><enter>' = '<esc>' q
cp box/proc/kallsyms names
screen -s 60x14 'perf report -i moved.data --kallsyms=names -s sym' '/alpha<enter>a' = '<esc>' = q
perf buildid-cache -k box/proc/kcore 2>/dev/null
ask -i moved.data -s alpha
ask -i moved.data -s second
# what cannot be: no code anywhere, half a core file, one that is none
rm -r "$HOME/.debug"
ask -i moved.data -s alpha 2>&1
head -c 4200 k/kcore_dir/kcore >half
mv half k/kcore_dir/kcore
ask -i k -s alpha 2>&1
echo "no core file" >k/kcore_dir/kcore
ask -i k -s alpha 2>&1
# names of programs without their code, without types
ask -i hidden.data -s bpf_prog_0001020304050607 2>&1
perf report --stdio -i k -s sym,srcline -F sample,sym,srcline 2>&1 | grep bpf_
