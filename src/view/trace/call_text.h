/* SPDX-License-Identifier: MIT */
/*
 * System calls as text: arguments as perf trace writes them ("fd: 3, count: 832"). Strings and
 * structures behind pointers are shown as strace does, if they were copied.
 */
#ifndef VIEW_TRACE_CALL_TEXT_H
#define VIEW_TRACE_CALL_TEXT_H

#include "analysis/calls/call.h"

struct call_style {
	bool zeros;	      /* show arguments that are 0, too */
	bool prefixes;	      /* O_RDONLY rather than RDONLY */
	bool no_names;	      /* leave out the names of arguments */
	unsigned int strings; /* bytes of a buffer shown at most */
	/* May be NULL, and return NULL: the path of a descriptor; the name of a process. Valid
	 * until the next call. */
	const char *(*path)(void *ctx, uint32_t pid, int fd);
	const char *(*comm)(void *ctx, uint32_t pid);
	void *ctx;
};

/* The arguments, without parentheses. at_exit: only those whose memory was copied when the call
 * returned. */
void call_args_show(const struct call *c, const struct call_style *s, bool at_exit,
		    struct buf *out);
/* Appends one argument without its name; false when it is left out. */
bool call_arg_show(const struct call *c, const struct call_style *s, unsigned int index,
		   struct buf *out);
/* The number of arguments; and the name of one. The name of an unknown call's argument is written
 * into room. */
unsigned int call_arg_count(const struct call *c);
const char *call_arg_name(const struct call *c, unsigned int index, char room[static 16]);
/* True when the other arguments make this one meaningless: a mode without O_CREAT, the descriptor
 * of an anonymous map. */
bool call_arg_unused(const struct call *c, unsigned int index);
/* "0", "-1 ENOENT (No such file or directory)", "0x7f..." */
void call_result_show(const struct call *c, const struct call_style *s, struct buf *out);

/* The argument that the parts below show. */
struct call_text {
	const struct call *call;
	const struct call_style *style;
	const struct call_arg *arg;
	unsigned int index; /* of arg */
	uint64_t value;
	struct buf *out;
};
/* call_numbers.c: values that are no pointers. False: the kind is another one. */
bool call_number_show(const struct call_text *t);
void call_bits_show(const struct call_text *t, enum words_group group, uint64_t value);
void call_enum_show(const struct call_text *t, enum words_group group, uint64_t value,
		    const char *unknown);
void call_open_flags_show(const struct call_text *t, uint64_t value);
void call_mode_show(const struct call_text *t, uint32_t mode);
/* A protocol of Ethernet, in the order of bytes of the network. */
void call_ethernet_show(const struct call_text *t, uint16_t protocol);
void call_fd_show(const struct call_text *t, int fd);
/* call_strings.c: strings, buffers, vectors and messages. False: their bytes were not copied. */
bool call_strings_show(const struct call_text *t);
/* A string as in C, of n bytes; cut: there is more. */
void call_quote(const uint8_t *p, size_t n, bool cut, struct buf *out);
/* call_structs.c, call_reports.c, call_sockets.c, call_kernel.c, call_perf.c, call_ioctl.c:
 * structures that calls take, structures that they fill in, socket addresses, those of younger
 * calls, event attributes, what commands of ioctl point to; call_locks.c: locks of files,
 * operations of semaphores, and the like; call_signals.c: what came with a signal, and masks;
 * call_system.c: capabilities, the clock's adjustment, filters, and objects of System V;
 * call_objects.c: message queues, notifications, handles, mounts, memory nodes. False:
 * their bytes were not copied, or the kind is another one. */
bool call_struct_show(const struct call_text *t);
bool call_report_show(const struct call_text *t);
bool call_socket_show(const struct call_text *t);
bool call_kernel_show(const struct call_text *t);
bool call_ioctl_show(const struct call_text *t);
bool call_lock_show(const struct call_text *t);
bool call_signal_info_show(const struct call_text *t);
bool call_system_show(const struct call_text *t);
bool call_object_show(const struct call_text *t);
bool call_perf_attr_show(const struct call_text *t);
/* True for an fcntl whose argument points to a lock. */
bool call_takes_lock(const struct call *c);
/* True for a prctl whose third argument points to a filter of system calls. */
bool call_installs_filter(const struct call *c);
/* A set of signals. */
bool call_signals_show(const struct call_text *t);
/* A set of numbers (CPUs, memory nodes), a bit for each, of at most that many bytes: "[0 1 5]".
 * False: its bytes were not copied. */
bool call_set_show(const struct call_text *t, uint64_t bytes);
/* call_control.c: the control messages of a message, total bytes at address. */
bool call_control_show(const struct call_text *t, uint64_t address, uint64_t total);
void call_address_show(const struct call_text *t, const uint8_t *p, size_t n);
/* The argument's length in bytes: from the argument that holds it, or from the result. */
uint64_t call_length(const struct call_text *t);

#endif
