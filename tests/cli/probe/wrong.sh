# mistakes are shown where they are
perf probe -D 'parse:x' || perf probe -D 'f a->' || perf probe -D 'f:3+4' || perf probe -D 'f%exit' || perf probe -L 'f:9-3'
