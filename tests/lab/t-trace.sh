# perf trace: other kernels' verifiers take its programs, and what they copy is right.
# guests: x86-6.* arm64-6.*
# short: x86-6.1
. /lab/lib.sh
if ! "$PERF" version --build-options | grep -q ' bpf: \[ on'; then
	skip "perf trace" "perf is built without BPF"
	finish
fi
[ -e /sys/kernel/btf/vmlinux ] || { skip "perf trace" "the kernel has no BTF"; finish; }
lines() { "$PERF" trace -o calls.txt "$@" >trace.out 2>trace.err; }
has() { grep -qE -- "$1" calls.txt; }

printf 'hello world\n' >greeting
check "a command is traced" lines cat greeting
cp calls.txt lines.txt
check "its exec has its words" has 'execve\(filename: "[^"]*", argv: \["cat", "greeting"\]'
check "paths are strings" has 'filename: "greeting"'
check "what was written is shown" has 'write\(fd: 1<[^>]*>, buf: "hello world\\n", count: 12\) += 12$|sendfile'
check "its end is there" has 'exit_group\(\) += \?$'
check "sums are kept in the kernel" lines -s -- dd if=/dev/zero of=/dev/null bs=1 count=1000
check "all calls are counted" number_between "$(awk '$1 == "write" { print $2 }' calls.txt)" 1000 1010
check "every task is traced" lines -a -e exit_group -- sh -c 'true; /bin/true'
check "a child's end is among them" has 'exit_group\('
check "those of a CPU are traced" lines -C 0,1 -e chdir -- sh -c 'cd /'
check "and are shown" has 'chdir\('
check "those of a user are traced" lines -u 0 -e exit_group -- true
check "all bytes are copied" lines --buffers 1 cat greeting
mkdir -p /out/calls
# t-trace.host reads it on another processor
check "calls are recorded" sh -c '"$PERF" trace record -o /out/calls/calls.data cat greeting >/dev/null 2>&1'
check "and shown" sh -c '"$PERF" trace -i /out/calls/calls.data >/out/calls/calls.txt 2>&1 && grep -q "exit_group() *= ?$" /out/calls/calls.txt'
finish
