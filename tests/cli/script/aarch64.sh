# Copies of stacks of another kind of processor. Its libraries aren't there, and a copy holds 1 KiB: where a chain leads into
# a library, or through more than that, it ends.
perf script --symfs $DATA/aarch64 -i $DATA/aarch64/stacks.data --no-inline -F ip,sym,dso | awk 'NF { print; next } { print "" }' | cat -s
