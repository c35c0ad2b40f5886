/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spawn.h - other programs, started and ended by those that catch interrupts.
 */
#ifndef GZ_CLI_SPAWN_H
#define GZ_CLI_SPAWN_H

#include <sys/types.h>

/* Starts a command in a process group of its own, so that all of it can be ended, with no signal
 * blocked (cli_catch_interrupts). Its standard input, output and error are the descriptors `in`,
 * `out` and `complaints`, or this program's where they are -1. Returns 0 or an error number. */
int cli_start(char *const *words, int in, int out, int complaints, pid_t *pid);

/* Waits for its end and returns the status, as waitpid has it; if this program is interrupted, asks
 * all of the group to end. */
int cli_await(pid_t pid);

#endif
