# a part of the time: what lies in it, cut at its ends
inside() {
	file=$1
	shift
	perf timechart -f -i $DATA/$file -o chart.svg "$@" 2>&1
	python3 - <<'P'
import xml.dom.minidom
svg = xml.dom.minidom.parse("chart.svg").documentElement
boxes = [box for box in svg.getElementsByTagName("rect") if box.getAttribute("class") != "cpu"]
outside = [box.toxml() for box in boxes
           if float(box.getAttribute("width")) < 0 or float(box.getAttribute("x")) + float(box.getAttribute("width")) > 1000 + 1e-6]
print(len(boxes), "boxes,", len(svg.getElementsByTagName("circle")), "wakeups; outside:", outside)
P
	grep -o '>[^<]*\(ms\|bytes\))<' chart.svg || :
}
inside sched.data --time 40%-60%
inside sched.data --time 99%-100% -n 3
inside calls/io.data --time ,1.1
# after the end
inside sched.data --time 999999999,
echo "one part only"
perf timechart -f -i $DATA/sched.data -o chart.svg --time "10%-20%,40%-50%" 2>&1 || echo "status $?"
perf timechart -f -i $DATA/sched.data -o chart.svg --time "today" 2>&1 || echo "status $?"
