# Counts of a PMU recorded by both, and reported by both: the same bytes of the same file.
# guests: arm64-* ppc64le
. /lab/lib.sh

W="$PROGRAMS/work 1000000"

report() { # NAME FORM OPTIONS...: of it.data
	name=$1 form=$2
	shift 2
	"$REF" stat $form report -i it.data "$@" >ref.txt 2>&1 </dev/null
	"$PERF" stat $form report -i it.data "$@" >our.txt 2>&1 </dev/null
	same "$name" ref.txt our.txt
}

while read -r how; do
	for by in "$REF" "$PERF"; do
		who=ours
		[ "$by" = "$PERF" ] || who=reference
		set -f
		"$by" stat record -o it.data $how >/dev/null 2>&1
		set +f
		report "report of $how by $who" ""
		report "report -x, of $how by $who" -x,
		case $how in *-a*)
			report "report -A of $how by $who" "" -A
			report "report -j -A of $how by $who" -j -A
			report "report --per-core -x, of $how by $who" -x, --per-core
			report "report --per-socket of $how by $who" "" --per-socket
			;;
		esac
	done
done <<END
$W
-e cycles,cycles:u,cycles:k $W
-e {cycles,cycles:u} $W
-a -e cycles,task-clock sleep 0.2
-a -A -e cycles,instructions sleep 0.2
-I 50 -e cycles,cs $PROGRAMS/work 3000000
-e r11,r11,r11,r11,r11,r11,r11,r11,r11 $PROGRAMS/work 3000000
END
finish
