perf kvm -i $DATA/kvm.data stat report -f
