# for programs; and what losses mean
perf c2c report -f -i $DATA/memory.data --no-source -x ';' | head -4
perf c2c report -f -i $DATA/memory.data --no-source -x ';' | sed -n '/^line;offset/,$p' | head -4
perf c2c report -f -i $DATA/memory.data --no-source -j | python3 -c '
import json, sys
told = json.load(sys.stdin)
for line in told["lines"][:3]:
    places = [place for place in told["places"] if place["line"] == line["line"]]
    print(line["address"], line["hitm"], sum(place["hitm"] for place in places), len(places))'
perf c2c report -f -i $DATA/memory.data -j -x , 2>&1 || :
$DATA/make-memory --lost lost.data
perf c2c report -i lost.data --stats 2>&1 >/dev/null | grep -i lost || :
perf mem report -i lost.data 2>&1 >/dev/null | grep -i lost || :
