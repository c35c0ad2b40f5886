/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spawn.h - other programs and processes, started and ended by those that catch interrupts.
 */
#ifndef GZ_CLI_SPAWN_H
#define GZ_CLI_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts a command in a process group of its own, so that all of it can be ended, with no signal
 * blocked (cli_catch_interrupts). Its standard input, output and error are the descriptors `in`,
 * `out` and `complaints`, or this program's where they are -1. Returns 0 or an error number. */
int cli_start(char *const *words, int in, int out, int complaints, pid_t *pid);

/* Waits for its end and returns the status, as waitpid has it; ends all of the group if this
 * program is interrupted. */
int cli_await(pid_t pid);

/* Starts a copy of this program that serves it and has nothing on its standard streams: `serve`
 * gets the end of a socket whose other one is *to, and the copy ends when it returns, or this
 * program does. To be called while the program has a single thread. Returns its number; -1 if there
 * is none.
 */
pid_t cli_serve(void (*serve)(void *of, int from), void *of, int *to);

/* Whether the limit on the stack, ulimit -s, is below so many bytes. */
bool cli_stack_below(unsigned long bytes);

/* What one of several processes does, the `part`-th of `parts`; returns its exit status. */
typedef int cli_part(void *with, int part, int parts);

enum { CLI_MOST_PROCESSES = 8 };

/* Does work in 1 to CLI_MOST_PROCESSES processes at once and waits until all have ended; none
 * outlives this one. Each has a process group of its own, so that an interrupt gets to it once,
 * from here; the last one is left in *interrupt, 0 if there was none. Returns the first exit status
 * that is not 0, 128 + its number if a signal ended the process; -1 if one could not be started,
 * with errno. To be called before cli_catch_interrupts. */
int cli_in_processes(int parts, cli_part *does, void *with, int *interrupt);

#endif
