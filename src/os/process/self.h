/* SPDX-License-Identifier: MIT */
/* This program itself. */
#ifndef OS_SELF_H
#define OS_SELF_H

/* The folder of the program's file, to be freed; NULL when that isn't known. */
char *self_folder(void);
/* The program's file, to be freed; NULL when that isn't known, or it is gone. */
char *self_program(void);
/* The first word of this process's command line behind the program's name that is no option, to be
 * freed; NULL: there is none. */
char *self_command(void);

#endif
