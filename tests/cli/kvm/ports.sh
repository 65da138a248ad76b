perf kvm stat report -f -i $DATA/kvm.data --event ioport -p 1000 --vcpu 1
