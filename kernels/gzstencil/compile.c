/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile - compiles and runs a kernel once, in a process that may die of it; libgzstencil starts
 * it.
 */
#include "trial.h"

int main(void)
{
    return gzk_try_here(stdin);
}
