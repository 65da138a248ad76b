ask() { perf kvm "$@" 2>&1 | head -2; perf kvm "$@" >/dev/null 2>&1 || echo "status $?"; }
ask
ask nothing
ask stat --nothing
ask stat live extra
ask stat live -d 0
ask stat live -a -p 1
ask stat live --event x
ask stat report -j -x ,
ask stat report
ask stat report extra
ask stat report --event x -f -i $DATA/kvm.data
ask stat report -k x -f -i $DATA/kvm.data
ask stat report --vcpu -2 -f -i $DATA/kvm.data
ask stat report -p x -f -i $DATA/kvm.data
ask stat report -f -i $DATA/chains.data
sed 's/GenuineIntel,6,85,4/SomethingElse,1,2,3/' $DATA/kvm.data >other.data
ask stat report -f -i other.data
