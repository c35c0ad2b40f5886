/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * full-disk BYTES COMMAND... - runs a command for which no file can grow beyond so many bytes, as
 * on a disk that is full from there on.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 99;
    struct rlimit limit = {strtoul(argv[1], NULL, 10), strtoul(argv[1], NULL, 10)};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 99;
    execv(argv[2], argv + 2);
    return 99;
}
