G=$DATA/guests/guests.data
report() { perf kvm $1 report --stdio -i $G --kallsyms $G.host $2 2>/dev/null | grep -v '^#\|^$'; }
echo "by the default guest's list of symbols"
report "--guestkallsyms $G.all" "-s dso,sym" | head -8
echo "a guest of --guestmount has a kernel of its own, the other one is the default guest"
report "--guestmount $G.mount" | grep ':100[12].*guest1000\|:2001.*g\]' | head -6
echo "guests and the host"
report "--host --guestkallsyms $G.kallsyms" "-s dso"
echo "the host alone"
report "--host --no-guest" "-s comm,dso" | head -4
report "--host --no-guest" "-s comm"
echo "code of guests in the memory of their hypervisors"
report --guest-code "-s comm,dso" | head -4
echo "lines"
perf script -i $G --kallsyms $G.host --guestkallsyms $G.all -F comm,tid,ip,sym,dso 2>/dev/null | head -6
echo "lists"
perf kvm buildid-list -i $G
perf kvm --guestkallsyms none report -i $G 2>&1
