# names of guests' kernels and modules, by a list for the default guest or a folder for each; and code of guests in their hypervisors' memory
G=$DATA/guests/guests.data
mkdir none
try() { # options that name files, options of the reader
	perf inject --self-contained --kallsyms $G.host $1 -i $G -o new.data
	perf kvm --host $1 report --stdio -s comm,dso,sym -i $G --kallsyms $G.host >before 2>/dev/null
	perf kvm --host $2 report --stdio -s comm,dso,sym -i new.data --symfs none >after 2>/dev/null
	cmp before after && grep -c '\[g\] [a-z]' after
}
try "--guestkallsyms $G.all"
try "--guestkallsyms $G.kallsyms --guestmodules $G.modules"
try "--guestmount $G.mount"
try --guest-code --guest-code || true
echo "files that the reader names are preferred"
perf kvm --guestkallsyms $G.kallsyms report --stdio -s sym -i new.data 2>/dev/null | grep -c '\[g\] [a-z]'
echo "without --self-contained nobody looks for them"
for option in --guestkallsyms=$G.all --guestmount=$G.mount; do
	perf inject $option -i $G -o new.data && status=0 || status=$?
	echo "$status: ${option%%=*}"
done
