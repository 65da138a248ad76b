/* SPDX-License-Identifier: MIT */
/*
 * The table of system calls: names, numbers on each machine, and arguments with their kinds. Made
 * of tables/ by tables/make; const, for all machines on every host.
 */
#ifndef EVENT_CALLS_CALLS_H
#define EVENT_CALLS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <call_words.h>

/* The ABI that a call's number is of. A machine may run programs of several ABIs. */
enum call_abi { CALL_X86_64, CALL_I386, CALL_X32, CALL_GENERIC, CALL_ABIS };
#define CALL_NUMBERS	1024	    /* more than any table has */
#define CALL_X32_BIT	0x40000000u /* in numbers of x32 callers; not part of .numbers */
#define CALL_ARGS	6
#define CALL_LEN_RESULT 6 /* .length: the result of the call */
#define CALL_LEN_NONE	7

/* A name of a flag or value, without the prefix of its group. */
struct word {
	const char *name;
	uint64_t value;
};
struct words {
	const char *prefix;
	const struct word *at; /* by value */
	size_t n;
};

/* When the memory that an argument points to is to be copied, and how many bytes. */
enum call_copy_at {
	COPY_AT_NONE,
	COPY_AT_ENTER,
	COPY_AT_EXIT, /* of a call that did not fail */
	COPY_AT_BOTH,
	COPY_AT_FAILURE, /* the exit of a call that failed */
};
enum call_copy {
	COPY_NOTHING,
	COPY_STRING,   /* up to its terminating zero */
	COPY_BYTES,    /* .size, and as many as .length says */
	COPY_FIXED,    /* .size */
	COPY_ARRAY,    /* .size for each of .length elements */
	COPY_SOCKADDR, /* .length is a pointer to a 32-bit length */
	COPY_IOV,      /* .length times { pointer, length }, and what these point to */
	COPY_MSG,      /* a struct msghdr, and what it points to */
	COPY_STRINGS,  /* an array of pointers to strings, up to a null pointer */
	COPY_SIZED,    /* a structure that holds its size, 32 bits at .size */
	COPY_IOCTL,    /* as many as the command, argument .length, takes or gives */
	COPY_MMSG,     /* .length times a struct mmsghdr (at most 4), and what it points to */
	COPY_MASK,     /* { pointer, length }, and so many bytes there */
};
/* What memory is like where a long has 32 bits. */
enum call_layout {
	LAYOUT_SAME,
	LAYOUT_LONGS,  /* of longs and pointers alone: half of the size */
	LAYOUT_TIMES,  /* the same, but not for calls that take 64-bit times everywhere */
	LAYOUT_NATIVE, /* anything else */
};
struct call_kind {
	const char *name;
	enum call_copy_at when;
	enum call_copy how;
	uint16_t size;
	enum call_layout layout;
};

struct call_arg {
	const char *name; /* the kernel's */
	uint8_t kind;	  /* enum call_kind_id */
	uint8_t words;	  /* enum words_group, of KIND_bits and KIND_enum */
	uint8_t length;	  /* the argument that holds its length, CALL_LEN_* */
};
struct call_desc {
	const char *name;	    /* as programs call it */
	const char *tracepoint;	    /* as in the kernel's tracepoint sys_enter_NAME */
	int16_t numbers[CALL_ABIS]; /* -1: not there */
	uint16_t id;			/* enum call_id: CALL_ID_openat, ... */
	uint8_t n;			/* arguments */
	uint8_t result; /* enum call_kind_id: KIND_fd, KIND_hex, KIND_pid, or KIND_int */
	struct call_arg args[CALL_ARGS];
};

/* True when an argument of a caller of that ABI is made of longs of 32 bits. */
bool call_is_narrow(const struct call_desc *call, enum call_abi abi, enum call_kind_id kind);
/* NULL: that number is unknown. An x32 caller's number is without CALL_X32_BIT. */
const struct call_desc *call_find(enum call_abi abi, int number);
/* By either of its names. */
const struct call_desc *call_find_name(const char *name);
/* All *n calls, sorted by name. */
const struct call_desc *call_all(size_t *n);
const struct call_kind *call_kind(enum call_kind_id kind);
const struct words *call_words(enum words_group group);
/* The name of a value, without its prefix; NULL: it has none. */
const char *words_name(const struct words *w, uint64_t value);
/* "ENOENT" for 2; NULL: unknown. The kernel's own numbers for restarts (512...) included. */
const char *call_error_name(int number);

/* Classes of calls, by strace's names: "file", "desc", "network", "memory", "process", "signal",
 * "ipc", "clock", "creds", "pure", "stat", "lstat", "fstat", "statfs", "string"; with or without
 * '%'. */
bool call_class_exists(const char *name);
bool call_in_class(const struct call_desc *call, const char *name);

/* The enum call_abi of a machine's native programs ("x86_64", "aarch64": as uname -m prints it);
 * -1: not known. */
int call_abi_of_machine(const char *machine);

#endif
