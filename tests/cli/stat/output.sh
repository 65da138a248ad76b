# -o begins with a date; --append adds to what is there, --log-fd writes no date.
perf stat -n -o out true
perf stat -n -o out --append true
perf stat -n --log-fd 3 true 3>>out
sed 's/# started on .*/# started on DATE/; s/[0-9.]* seconds/N seconds/' out
