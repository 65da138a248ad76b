/* SPDX-License-Identifier: MIT */
/*
 * Branch stacks per instruction: instructions per cycle (IPC), cycles of basic blocks, and how
 * often code between branches ran.
 *
 *   branch_code_init (once a table) -> line_branches_init for each function ->
 * line_branches_release
 *   -> branch_code_release
 *
 * All zero is valid, and says nothing of any line.
 */
#ifndef ANALYSIS_ANNOTATE_BRANCHES_H
#define ANALYSIS_ANNOTATE_BRANCHES_H

#include "profile/table/blocks.h"
#include "symbol/disasm/disasm.h"

/* Code that ran from its first to its last address without a taken branch. */
struct branch_pass {
	const struct dso *dso;
	const struct symbol *sym;
	uint64_t start, end; /* offsets from the symbol's start; the branch at .end was taken */
	uint64_t passes, predicted;
};

/* All that the branch stacks of a table's samples tell. */
struct branch_code {
	bool known;			/* samples have branch stacks */
	struct blocks blocks;		/* those whose branches have cycles */
	VEC(struct branch_pass) passes; /* by dso and symbol */
};
void branch_code_init(struct branch_code *b, const struct table *table);
void branch_code_release(struct branch_code *b);

/* The basic block that ends at an instruction, and the IPC of the one that contains it. */
struct line_cycles {
	float ipc;		      /* 0: not known */
	uint64_t cycles, least, most; /* average, minimum and maximum; 0: not known */
};
/* How often the code around an instruction ran. Shares are percent. */
struct line_coverage {
	double covered; /* of the most often executed code of the function, 0 to 1; -1: not known */
	double entered; /* the passes that came here by a branch, of those at the next branch; 0:
			   none */
	double left;	/* the passes whose branch here was taken; 0: none */
	double predicted; /* of these, those that the processor predicted */
};
struct line_branches {
	bool has_cycles;		/* for columns of IPC and cycles */
	struct line_cycles *cycles;	/* one a line of the disassembly; NULL without cycles */
	struct line_coverage *coverage; /* one a line; NULL without branch stacks */
	double ipc;			/* of the function's blocks that are known */
	double ipc_coverage;		/* percent of its instructions that are in these */
};
/* The arena owns what the arrays hold. */
void line_branches_init(struct line_branches *l, const struct branch_code *b, const struct dso *dso,
			const struct symbol *sym, const struct disasm *d, struct arena *arena);

#endif
