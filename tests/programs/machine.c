// SPDX-License-Identifier: MIT
/*
 * machine [TURNS [SPINS]]: a virtual machine of a few instructions. TURNS times (50) it goes round
 * a loop SPINS times (1000) and writes to port 0x10, which it is left for; then it halts. Prints
 * how often it was left for the port. 77: no KVM.
 */
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMORY 0x4000
#define START  0x1000

/* Of 16 bits; the operands are of 32. */
static const unsigned char code[] = {
	0x66, 0xb9, 0, 0, 0, 0, /*        mov $TURNS, %ecx */
	0x66, 0xba, 0, 0, 0, 0, /* turn:  mov $SPINS, %edx */
	0x66, 0x4a,             /* spin:  dec %edx */
	0x75, 0xfc,             /*        jnz spin */
	0xe6, 0x10,             /*        out %al, $0x10 */
	0x66, 0x49,             /*        dec %ecx */
	0x75, 0xf0,             /*        jnz turn */
	0xf4,                   /*        hlt */
};

static int must(int result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
	return result;
}

int main(int argc, char **argv)
{
	unsigned turns = argc > 1 ? (unsigned)atoi(argv[1]) : 50,
		 spins = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;
	unsigned left = 0;
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	if (kvm < 0) {
		perror("/dev/kvm");
		return 77;
	}
	int vm = must(ioctl(kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	unsigned char *memory =
		mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region region = {.memory_size = MEMORY,
						     .userspace_addr = (unsigned long)memory};

	if (memory == MAP_FAILED)
		return 1;
	memcpy(memory + START, code, sizeof code);
	memcpy(memory + START + 2, &turns, sizeof turns);
	memcpy(memory + START + 8, &spins, sizeof spins);
	must(ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");

	int cpu = must(ioctl(vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU");
	size_t size = (size_t)must(ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "KVM_GET_VCPU_MMAP_SIZE");
	struct kvm_run *run = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	struct kvm_sregs special;
	struct kvm_regs registers = {.rip = START, .rflags = 2};

	if (run == MAP_FAILED)
		return 1;
	must(ioctl(cpu, KVM_GET_SREGS, &special), "KVM_GET_SREGS");
	special.cs.base = special.cs.selector = 0;
	must(ioctl(cpu, KVM_SET_SREGS, &special), "KVM_SET_SREGS");
	must(ioctl(cpu, KVM_SET_REGS, &registers), "KVM_SET_REGS");
	for (;;) {
		must(ioctl(cpu, KVM_RUN, 0), "KVM_RUN");
		if (run->exit_reason != KVM_EXIT_IO)
			break;
		left++;
	}
	printf("%u\n", left);
	return run->exit_reason == KVM_EXIT_HLT ? 0 : 1;
}
