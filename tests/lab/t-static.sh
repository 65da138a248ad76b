# The program of `make static`, alone in an empty folder, on a kernel that this machine does not have.
# guests: x86-*
# short: x86-6.12
. /lab/lib.sh
static=/lab/bin/perf-static
[ -x "$static" ] || { echo "make static has not been run"; exit 77; }

mkdir -p root/tmp root/proc root/sys
cp "$static" root/perf
cp "$PROGRAMS/work" root/work
mount -t proc proc root/proc
mount -t sysfs sys root/sys
mount -t tracefs tracefs root/sys/kernel/tracing
cp root/perf root/work / # for the others, where it says that they were
alone() { chroot root /perf "$@"; }

"$PERF" --version >our.txt
alone --version >static.txt 2>&1
same "the same version" our.txt static.txt
alone stat -x, -e task-clock:u,syscalls:sys_enter_getppid /work 20000 2>&1 >/dev/null | cut -d, -f1,3 | grep getppid >static.txt
echo 200,syscalls:sys_enter_getppid >our.txt
same "it counts" our.txt static.txt
check "it records" alone record -q -a -g -F 999 -e cpu-clock,sched:sched_switch -o /tmp/r.data /work 3000000
for words in "report --stdio --no-children -g none" "report --stdio" script "script -G" "evlist -v" "report --header-only"; do
	alone $words -i /tmp/r.data >static.txt 2>static.err
	"$PERF" $words -i root/tmp/r.data >our.txt 2>our.err
	sed -i '/^# (Tip/d; /^# cmdline/d' static.txt our.txt
	[ -s static.txt ] || cat static.err
	same "it says the same: $words" our.txt static.txt
done
"$REF" script -G -i root/tmp/r.data >ref.txt 2>/dev/null
alone script -G -i /tmp/r.data >static.txt 2>/dev/null
same "the reference reads what it recorded" ref.txt static.txt
rm /perf /work
umount root/sys/kernel/tracing root/sys root/proc
finish
