perf kvm stat report -f -i $DATA/kvm.data --event mmio -k time
