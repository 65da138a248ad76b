# tools/build says that it builds, and nothing when there is nothing to do; on a terminal it says how far it is
build="$DATA/../../tools/build"
mkdir b
printf 'rule touch\n  command = touch $out\nbuild one: touch\nbuild two: touch one\n' >b/build.ninja
"$build" b
"$build" b
rm b/two
command -v script >/dev/null || { echo "no script(1)" >&2; exit 77; }
script -qec "TERM=xterm '$build' b" /dev/null | tr '\r' '\n' | grep -o 'building [01] of 1' | sort -u
