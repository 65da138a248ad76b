# exits of processors that are not x86: names, and what has none
for arch in aarch64 ppc64le s390x riscv64; do
	$DATA/make-kvm $arch.data 5 60 none $arch
	perf kvm -i $arch.data stat report
done
