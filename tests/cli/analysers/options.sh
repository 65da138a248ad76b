# the table of doc/analysis-options.md: each option on each command that has it
ask() {
	file=$1 command=$2
	shift 2
	for option; do
		status=0
		eval "perf $command $option" -f -i "$DATA/$file" >out 2>err || status=$?
		case $option in
		--html*) echo "perf $command $option: $status, pages: $(grep -c '</html>' out)" ;;
		*) echo "perf $command $option: $status, $(wc -l <out) lines" ;;
		esac
		grep -v -e 'Samples do not have callchains' -e '^perf: wrote' -e 'frames have no name' -e '^Written' err || :
	done
}
rows="-x, -j --html=-"
ask switches.data "sched latency" "--time 50%-100%" "-C 0" "-C 1-9" "--pid 4678" "--tid 4680-4682" "-c true" $rows
ask switches.data "sched timehist" "--time 50%-100%" "-C 0" "-C 1-9" "-p 4678" "-t 4680-4682" "-c true"
ask switches.data "sched map" "--time 3802.1426,3802.143" "--cpus 0" "--task-name true"
for how in report contention; do
	ask allocators/locks.data "lock $how --output /dev/stdout" "--time 1.0017," "-C 0" "-C 1" "-p 1000" "--tid 1000-1001" $rows
done
ask allocators/kmem.data "kmem stat --caller" "--time 1.001," $rows
for how in report latency top; do
	ask kwork.data "kwork $how" "--time 1.003," "-C 0" "-C 1" "-n TIMER" $rows
done
ask kwork.data "kwork timehist" "--time 1.003," "-C 0" "-C 1" "-n TIMER"
ask kvm.data "kvm stat report" "--time 0.004," "-C 0" "-C 1,2" "-p 1" "-t 1002" "-c guest2000" $rows
ask memory.data "mem report" "--time ,0.0001" "-C 0" "-C 1" "--pid 1" "--tid 2" "--comms none" "-x,"
ask memory.data "c2c report" "--time ,0.0001" "-C 0" "--pid 100" "--tid 101" "--comms second" $rows
ask sched.data "timechart -o -" "--time 50%-60%" "-p forks" "-P" "-T" "-n 1" "-w 500" "-t" "--highlight forks"
