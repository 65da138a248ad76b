# commands of perf that aren't there say so with the nearest way, as does their help; typing errors are still corrected
for cmd in annotate archive bench buildid-cache buildid-list c2c config daemon data diff evlist ftrace help inject iostat \
	kallsyms kmem kvm kwork list lock mem probe record report sched script stat test timechart top trace version; do
	case " $(perf --list-cmds) " in
	*" $cmd "*) told=0 ;;
	*) told=$(PATH=/nowhere $(command -v perf) $cmd 2>&1 | grep -c -e "perf: '$cmd' is not there yet" -e '^the nearest today: ') ;;
	esac
	case $told in
	0) echo "$cmd: there" ;;
	2) echo "$cmd: not yet" ;;
	*) echo "$cmd: what came: $told" ;;
	esac
done
# a perf-NAME program of the user's own goes first
mkdir tools
printf '#!/bin/sh\necho "my own iostat"\n' >tools/perf-iostat
chmod +x tools/perf-iostat
perf --exec-path=$PWD/tools iostat
ask() { perf "$@" 2>&1 || echo "$?"; }
ask iostat
ask help iostat
ask tset
ask help nonsense
