# a name of a function that a terminal would obey, or that has a line's end, is escaped in files and pipes as well
cp -r $DATA/root root
chmod -R u+w root
python3 - <<'END'
with open("root/tmp/t/threads", "r+b") as f:
    data = f.read()
    data = data.replace(b"\0worker\0", b"\0w\x1b]5\n2\0").replace(b"\0burn\0", b"\0b\x1b[m\0")
    f.seek(0)
    f.write(data)
END
perf script --symfs root -i $DATA/chains.data 2>/dev/null | head -7
perf script --symfs root -i $DATA/chains.data 2>/dev/null | LC_ALL=C tr -d '\n\t -~' | wc -c
for words in "-s sym --no-children -g caller" "-s sym,dso,srcline --no-children -g folded" "--folded" "--hierarchy -g none" "-D"; do
	perf report --stdio -q $words --symfs root -i $DATA/chains.data 2>/dev/null >out
	LC_ALL=C tr -d '\n\t -~' <out | wc -c
done
perf report --stdio -q -s sym --no-children -g none --symfs root -i $DATA/chains.data 2>/dev/null | head -3
