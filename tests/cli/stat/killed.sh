# The status of a killed command is the shell's
perf stat -n -o out sh -c 'kill -9 $$' || echo "status $?"
head -c 13 out
echo
