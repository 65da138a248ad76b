# What share of a program's own frames is right: awk -f right.awk TRUTH SCRIPT prints it in tenths of a percent,
# the number of samples that were judged, and, after -v why=FILE, writes what was wrong, and how often.
#
# TRUTH has lines "LEAF: CALLER CALLER ...", innermost first, of functions of the program alone; SCRIPT is what
# `perf script --no-inline -F ip,sym` prints. Frames of other functions don't count; a sample counts when its innermost frame
# of the program is a LEAF.
FNR == NR {
	if (NF < 2 || $1 !~ /:$/) next
	sub(/:$/, "", $1)
	$0 = $0
	for (i = 1; i <= NF; i++) own[$i] = 1
	want[$1] = $0
	next
}
NF {
	name = $0
	sub(/^[ \t]*[0-9a-f]+ /, "", name)
	gsub(/ /, ",", name) # Rust's "<Type as Trait>::function"
	sub(/\.(abi0|cold)$/, "", name) # Go's, of functions in assembly; gcc's, of what is seldom executed
	if (name in own) chain = chain (chain == "" ? "" : " ") name
	next
}
{ judge() }
END {
	judge()
	printf "%d %d\n", all ? good * 1000 / all : 0, samples
	if (why) for (w in wrong) printf "%d of %d samples: %s\n", wrong[w], samples, w >why
}
function judge(   n, m, i, got, wanted, bad) {
	n = split(chain, got)
	if (n && got[1] in want) {
		m = split(want[got[1]], wanted)
		samples++
		all += n > m ? n : m
		for (i = 1; i <= n && i <= m; i++) good += got[i] == wanted[i]
		if (chain != want[got[1]]) wrong[chain "; in truth " want[got[1]]]++
	}
	chain = ""
}
