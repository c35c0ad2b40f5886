# A grid divided among ranks, and the exchange of halos between them, by MPI where there is mpicc.

ROOMS += kernels/ranks

$(eval $(call embed,kernels/ranks_texts,gzk,kernels/ranks/carry.knl))

RANKS := $(B)/kernels/libranks.a
RANKS_OBJECTS := $(patsubst %,$(B)/kernels/ranks/%.o,domains exchange own_grid carry collect halo) \
                 $(B)/kernels/ranks_texts.o
$(RANKS_OBJECTS): | $(B)/kernels/embedded.h $(B)/kernels/ranks_texts.h
$(eval $(call archive,$(RANKS),$(RANKS_OBJECTS)))

# MPI's headers are foreign code. mpicc itself is asked for flags only, so that CC stays CC.
MPICC ?= mpicc
MPI_COMPILE := $(shell $(MPICC) --showme:compile 2>/dev/null || $(MPICC) -compile_info 2>/dev/null)
MPI_LINK := $(shell $(MPICC) --showme:link 2>/dev/null || $(MPICC) -link_info 2>/dev/null)
EXCHANGE_MPI := $(if $(MPI_LINK),$(B)/lib/gzmodel/exchange_mpi.so)
$(B)/kernels/ranks/exchange_mpi.o: ALL_CPPFLAGS += $(patsubst -I%,-isystem %,$(filter -I%,$(MPI_COMPILE)))
$(B)/lib/gzmodel/exchange_mpi.so: $(B)/kernels/ranks/exchange_mpi.o $(B)/kernels/runtime/error.o
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -shared -o $(NEW) $^ $(filter -L% -l% -Wl% -pthread,$(MPI_LINK)) $(PUT)
all: $(EXCHANGE_MPI)
CHECK_DEPS += $(EXCHANGE_MPI)
HELPERS += $(EXCHANGE_MPI)

# Tests, numbers 840 to 849.
RANKS_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/84*.c))
$(RANKS_TESTS): $(RANKS) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
$(RANKS_TESTS): TEST_LIBS = $(RANKS) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
