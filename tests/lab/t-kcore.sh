# The kernel's code where no vmlinux is: from its memory (/proc/kcore), a copy beside a recording, and a copy in the build-id cache.
# guests: x86-*
. /lab/lib.sh

out=/out/kcore
mkdir -p $out
echo 0 >/proc/sys/kernel/kptr_restrict
work="dd if=/dev/zero of=/dev/null bs=4k count=20000"
hottest() { "$PERF" report -i "$1" --stdio -s sym 2>/dev/null | awk '/^ / && $2 == "[k]" { print $3; exit }'; }

"$PERF" record -q -e cpu-clock:k -F 999 -o live.data $work >said.txt 2>&1
hottest live.data >$out/function
check "a function of the kernel is the hottest" grep -q '^[a-z_]' $out/function
"$PERF" inject -v --self-contained -i live.data -o $out/live.data >said.txt 2>&1
check "code is read from /proc/kcore" grep -qE 'self-contained: .* [1-9][0-9]{2,} bytes of code' said.txt

"$PERF" record -q --kcore -e cpu-clock:k -F 999 -o copied $work >said.txt 2>&1
check "record --kcore writes the kernel's code" test -s copied/kcore_dir/kcore
"$PERF" inject -v --self-contained -i copied -o $out/copied.data >said.txt 2>&1
check "code is read from that" grep -qE 'self-contained: .* [1-9][0-9]{2,} bytes of code' said.txt

# the build-id cache's copy has the folders, files and list of modules of perf's
cached() { (cd "$HOME/.debug" && find . -type f | sed 's,/[0-9]\{16\}/,/TIME/,' | sort && cat .*/*/*/modules */*/*/modules 2>/dev/null); }
mkdir ours refs
HOME=$PWD/ours "$PERF" buildid-cache -k /proc/kcore >said.txt 2>&1
HOME=$PWD/refs "$REF" buildid-cache -k /proc/kcore >>said.txt 2>&1
HOME=$PWD/ours cached >our.txt
HOME=$PWD/refs cached >ref.txt
check "both caches have the kernel's code" grep -q /kcore ref.txt
same "and the same files" ref.txt our.txt
finish
