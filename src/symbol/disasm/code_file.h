/* SPDX-License-Identifier: MIT */
/* A function's code as an ELF file of its own, for programs that read files (objdump): code from a
 * core file, a JIT's dump or a recording, and code of compressed modules. */
#ifndef SYMBOL_CODE_FILE_H
#define SYMBOL_CODE_FILE_H

#include "os/files/files.h"
#include "symbol/disasm/function_code.h"

/* True when no file that objdump can read has the code. */
bool code_file_needed(const struct function_code *c);
/* Makes the file in memory, with the code at its virtual address and the dso's symbols. The path is
 * valid until the descriptor is closed. Returns the descriptor, or -1 with *err: the processor is
 * not known, ... */
int code_file_open(const struct function_code *c, struct dso *dso, char path[FILES_MEMORY_PATH],
		   struct err *err);

#endif
