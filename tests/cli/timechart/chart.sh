# the picture of a recording: its marks, rows chosen by name, number and section
perf timechart -f -i $DATA/sched.data -o chart.svg
python3 - <<'P'
import xml.dom.minidom
xml.dom.minidom.parse("chart.svg")
P
sum() { grep -o 'class="[a-zA-Z0-9_]*"\|<title>[^ ]*\|stroke:rgb(32,255,32)' "$1" | sed 's/#.*/#/; s/<title>[-0-9]*$/<title>/' | sort | uniq -c; }
sum chart.svg
head -3 chart.svg
grep -o '>[^<]*ms)<' chart.svg
echo "only CPUs"
perf timechart -f -i $DATA/sched.data -P -o - 2>/dev/null | grep -c 'ms)<' || :
echo "no power"
perf timechart -f -i $DATA/sched.data -T -o - 2>/dev/null | grep -c 'class="pstate"/' || :
echo "wide"
perf timechart -f -i $DATA/sched.data -w 4000 -o - 2>/dev/null | grep '<svg'
