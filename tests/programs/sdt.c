// SPDX-License-Identifier: MIT
/* Has statically defined probes, as systemtap's sys/sdt.h would put them there: notes of
 * version 3. */
#include <stdio.h>

#define PROBE(provider, name, args)                                                                \
	__asm__ volatile("990: nop\n"                                                              \
			 ".pushsection .note.stapsdt,\"\",\"note\"\n"                              \
			 ".balign 4\n"                                                             \
			 ".4byte 992f-991f, 994f-993f, 3\n"                                        \
			 "991: .asciz \"stapsdt\"\n"                                               \
			 "992: .balign 4\n"                                                        \
			 "993: .8byte 990b, 0, 0\n"                                                \
			 ".asciz \"" #provider "\"\n"                                              \
			 ".asciz \"" #name "\"\n"                                                  \
			 ".asciz \"" args "\"\n"                                                   \
			 "994: .balign 4\n"                                                        \
			 ".popsection\n")

int main(void)
{
	PROBE(toy, start, "");
	puts("between");
	PROBE(toy, stop, "8@$5");
	PROBE(toy, stop, "8@$6");
	PROBE(other, go, "");
	return 0;
}
