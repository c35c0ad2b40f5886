#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# mpirun.sh - mpirun as containers, CI and tests need it: as root, with more ranks than cores, which
# then leave each other the core while they wait. What is given is mpirun's. MPICH needs none of it.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0 exec mpirun "$@"
