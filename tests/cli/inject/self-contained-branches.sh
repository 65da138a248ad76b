# the code between branches, names and annotations of a program that is then out of reach
perf inject --self-contained -f --symfs $DATA/root -i $DATA/blocks.data -o far.data
mkdir none
for form in "script -F +brstackinsn" "script -F brstacksym,brstackinsn,brstackinsnlen,ip,sym" "report --stdio --total-cycles" \
	"report --stdio -s symbol_from,symbol_to,srcline_from" "report --stdio -g none -s sym,symoff,symbol_size"; do
	perf $form -f --symfs $DATA/root -i $DATA/blocks.data | grep -v '^# (Tip:' >near
	perf $form -f --symfs none -i far.data | grep -v '^# (Tip:' >far
	cmp near far && echo "$form: $(wc -l <far) lines"
done
perf script -F brstackinsn -f --symfs none -i far.data | grep -c 'insn: [0-9a-f]'
