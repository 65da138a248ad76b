# samples of linkage stubs are shown in _init, which reaches over them
case $(uname -m) in x86_64) ;; *) echo "objdump here may not know x86-64" >&2; exit 77 ;; esac
command -v objdump >/dev/null || { echo "no objdump" >&2; exit 77; }
ln -s $DATA data
cat >make.py <<'PY'
import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import made

r = made.Recording()
event = r.event("cycles:u", 0, 0, made.IP | made.PERIOD)
r.comm(7, 7, "threads")
r.mmap2(7, 0x555555555000, 0x1000, 0x1000, "/tmp/t/threads")
for i, at in enumerate((0x000, 0x030, 0x030, 0x040)):
    r.sample(event, 1000 + i, ip=0x555555555000 + at, pid=7, tid=7)
r.write("stubs.data")
PY
python3 make.py "$DATA" "$PWD"
perf annotate --stdio --objdump=objdump -f --symfs data/root -i stubs.data 2>/dev/null
