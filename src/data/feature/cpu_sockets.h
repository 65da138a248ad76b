/* SPDX-License-Identifier: MIT */
/* The socket of each CPU of the recorded machine. */
#ifndef DATA_CPU_SOCKETS_H
#define DATA_CPU_SOCKETS_H

#include "data/recording.h"

/* Fills the measurement's socket_of_cpu from CPU_TOPOLOGY: two lists of strings, then a core and a
 * socket number a CPU. Does nothing when CPU_TOPOLOGY or NRCPUS is missing or damaged. */
void recording_take_sockets(struct recording *rec);

#endif
