/* SPDX-License-Identifier: MIT */
/* This program itself. */
#ifndef OS_SELF_H
#define OS_SELF_H

/* The folder of the program's file, to be freed; NULL when that isn't known. */
char *self_folder(void);
/* The program's file, to be freed; NULL when that isn't known, or it is gone. */
char *self_program(void);

#endif
