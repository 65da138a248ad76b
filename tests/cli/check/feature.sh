perf check feature libelf
perf check feature HAVE_ZSTD_SUPPORT,LibElf
perf check feature -q libelf,libperl || echo "status $?"
perf check feature libelf,libperl || echo "status $?"
perf check -q feature nosuch || echo "status $?"
perf check feature nosuch || echo "status $?"
# what works without perf's library for it
perf check feature libslang,libnuma,syscall_table,dwarf_getlocations
# names of younger perfs
perf check feature rust,libbpf-strings || echo "status $?"
