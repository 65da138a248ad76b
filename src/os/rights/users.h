/* SPDX-License-Identifier: MIT */
/* Users by name. */
#ifndef OS_USERS_H
#define OS_USERS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * false: there is no such user. A program that is linked statically knows those of /etc/passwd,
 * others all that the machine's name services know.
 */
bool users_find(const char *name, uid_t *uid);

#endif
