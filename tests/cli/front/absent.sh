# all commands of perf are there; typing errors are corrected
for cmd in annotate archive bench buildid-cache buildid-list c2c config daemon data diff evlist ftrace help inject iostat \
	kallsyms kmem kvm kwork list lock mem probe record report sched script stat test timechart top trace version; do
	case " $(perf --list-cmds) " in
	*" $cmd "*) ;;
	*) echo "$cmd: not there" ;;
	esac
done
# a perf-NAME program of the user's own
mkdir tools
printf '#!/bin/sh\necho "my own iotop"\n' >tools/perf-iotop
chmod +x tools/perf-iotop
perf --exec-path=$PWD/tools iotop
ask() { perf "$@" 2>&1 || echo "$?"; }
ask tset
ask help nonsense
