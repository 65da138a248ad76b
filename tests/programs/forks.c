// SPDX-License-Identifier: MIT
/*
 * forks [N [PROGRAM]]: starts PROGRAM (/bin/true) N times, one after the other, as a shell's loop
 * does. With "-" for it the children end at once. Prints nothing; exit status 1 when one could not
 * be started.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	char usual[] = "/bin/true", *program = argc > 2 ? argv[2] : usual;

	for (int i = 0; i < n; i++) {
		char *words[] = {program, NULL};
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			if (!strcmp(program, "-"))
				_exit(0);
			execv(program, words);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
			return 1;
	}
	return 0;
}
