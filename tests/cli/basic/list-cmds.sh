for cmd in evlist list record report script version; do perf --list-cmds | tr " " "\n" | grep -x $cmd; done
