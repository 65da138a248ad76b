# for programs, and what ends in a part of the time, on a CPU, in a thread
report() { perf kvm -i $DATA/kvm.data stat report -f "$@"; }
report -x ';' --event ioport
report -j --event mmio
report --time 0.001,0.004 -x ,
report -C 1,2 -x , | head -4
report -t 1002 -x , | head -4
report -c guest2000 --vcpu 0 -x , | head -4
