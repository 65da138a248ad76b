// SPDX-License-Identifier: MIT
/* How long calls of a kernel function take. Loaded by os/bpf/latency.c. */
#include "latency.h"

#define TEXT_(x) #x
#define TEXT(x)	 TEXT_(x)

/* Read by the loader only: the function that the programs are loaded for. */
const volatile char function[sizeof(TEXT(LATENCY_FUNCTION))];

SEC("fentry/" TEXT(LATENCY_FUNCTION))
int BPF_PROG(on_call)
{
	call_begin((__u64)ctx); /* lies in the call's frame, at its end, too */
	return 0;
}

SEC("fexit/" TEXT(LATENCY_FUNCTION))
int BPF_PROG(on_return)
{
	call_end((__u64)ctx);
	return 0;
}
