/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study.h"

int main(int argc, char **argv)
{
    return study_run(argc, argv, study_own, study_rows);
}
