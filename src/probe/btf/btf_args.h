/* SPDX-License-Identifier: MIT */
/*
 * Arguments of a kernel probe by BTF, for a kernel without debug information: parameters at a
 * function's entry, and what they lead to. The kernel is told their numbers ("$arg2"), which are
 * the same for all processors.
 */
#ifndef PROBE_BTF_ARGS_H
#define PROBE_BTF_ARGS_H

#include "probe/btf/btf.h"
#include "probe/finder.h"

/* True when all that the spec asks for could be had by BTF: a function's entry, without lines and
 * files. */
bool btf_can_answer(const struct probe_spec *s);
/* Replaces the arguments of a definition, whose .function names the function, by those of the spec.
 * Notes for the user are appended as lines. 0, or -1 with *err. */
int btf_define_args(const struct btf *b, const struct probe_spec *s, struct probe_def *d,
		    struct arena *arena, struct buf *notes, struct err *err);
/* -V: the parameters of a function, appended as one place. False: there is no function of that
 * name. */
bool btf_list_parameters(const struct btf *b, const char *function, struct arena *arena,
			 struct probe_variables *out);

#endif
