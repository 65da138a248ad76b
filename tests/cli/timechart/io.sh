# calls that read, write, wait and sync: a box each, in the row of its task
boxes() {
	perf timechart -f -i $DATA/calls/io.data -o chart.svg "$@" 2>/dev/null
	grep -o 'class="[a-z]*"/>' chart.svg | cut -d\" -f2 | sort | uniq -c
}
boxes
grep -o '>[^<]*bytes)<' chart.svg
grep -c 'error=-32' chart.svg
# all boxes are within the picture, also that of the call that had not returned at the end
python3 - <<'P'
import xml.dom.minidom
svg = xml.dom.minidom.parse("chart.svg").documentElement
for box in svg.getElementsByTagName("rect"):
    x, width = float(box.getAttribute("x")), float(box.getAttribute("width"))
    if width < 0 or x + width > float(svg.getAttribute("width")) + 1e-6:
        print("outside:", x, width)
    if box.getAttribute("class") == "poll" and abs(x + width - 1000) < 1e-6:
        print("to the end:", box.toxml())
P
# three calls, one after the other, in one box
grep -m1 -A1 'merges=2' chart.svg
echo "without EAGAIN"
boxes --io-skip-eagain
echo "only two tasks"
boxes -p copier -p 1002
grep -o '>[^<]*bytes)<' chart.svg
echo "calls that are near to each other become one"
boxes --io-merge-dist 10ms
grep -o 'merges=[^0].*<' chart.svg | sort | uniq -c | tail -2
echo "calls are not made longer"
boxes --io-min-time 0 --io-merge-dist 0
echo "records are lost in the middle"
$DATA/lose $DATA/calls/io.data lost.data
perf timechart -f -i lost.data -o chart.svg 2>&1 | grep lost
