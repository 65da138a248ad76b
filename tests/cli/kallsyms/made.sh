cat >kallsyms <<'T'
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81000000 T startup
ffffffff81000140 t helper
ffffffff810001c0 T other
ffffffff82000000 R table
ffffffff82000100 d word
ffffffffc0100000 t init	[kvm]
ffffffffc0100080 t helper	[kvm]
ffffffffc0200000 t lonely	[unlisted]
T
echo 'kvm 200704 0 - Live 0xffffffffc0100000' >modules
perf kallsyms --kallsyms kallsyms _text helper word table init lonely nothing
sed 's/^f[0-9a-f]*/0000000000000000/' kallsyms >hidden
perf kallsyms --kallsyms hidden helper || echo "status $?"
perf kallsyms || echo "status $?"
perf kallsyms --kallsyms missing helper || echo "status $?"
