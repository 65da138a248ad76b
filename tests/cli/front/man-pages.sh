# Every command has a page, and the page has exactly the options of -h. Says what differs.
man=$DATA/../../man
of_help()
{
	awk '/^    (-|    --)/ {
		for (i = 1; i <= 2; i++) {
			word = $i
			sub(/[[=<,].*/, "", word)
			if (word ~ /^-/)
				print word
			if ($i !~ /,$/)
				break
		}
	}' | sort -u
}
of_page()
{
	awk 'after { gsub(/\\f[BIRP]/, ""); gsub(/\\-/, "-"); gsub(/\\\(bu/, "")
		n = split($0, words, /[ ,]+/)
		for (i = 1; i <= n; i++) {
			word = words[i]
			sub(/[[=<].*/, "", word)
			if (word ~ /^--?[A-Za-z]/)
				print word
		} }
		{ after = /^\.TP/ || /^\.TQ/ }' "$1" | sort -u
}
compare()
{
	comm -23 help page | sed "s/^/$1: not in the page: /"
	comm -13 help page | sed "s/^/$1: only in the page: /"
}
perf --list-opts | tr ' ' '\n' | grep -e -- | sort -u >help
of_page "$man/perf.1" | grep -e '^--' >page
compare perf
for cmd in $(perf --list-cmds); do
	if [ ! -f "$man/perf-$cmd.1" ]; then
		echo "$cmd: no page"
		continue
	fi
	{ perf "$cmd" -h 2>&1 || true; } | of_help >help
	of_page "$man/perf-$cmd.1" >page
	compare "$cmd"
done
