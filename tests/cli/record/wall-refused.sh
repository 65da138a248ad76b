ask() { perf record "$@" 2>&1 && echo "no error"; echo "status $?"; }
ask --wall -e cycles true
ask --wall -c 100 true
ask --wall --all-user true
ask --wall=ftrace true
ask --wall=sums -D 10 true
ask --wall=sums -C 0 true
ask --wall=sums --call-graph dwarf true
ask --wall=sums --switch-output true
ask --wall=sums -k mono true
