# gzmg, multigrid on the kernels' runtime: levels whose ghost zones are as deep as the model says.

ROOMS += kernels/multigrid

MULTIGRID_TEXTS := kernels/multigrid/operators.h $(wildcard kernels/multigrid/*.knl)
$(eval $(call embed,kernels/multigrid_texts,gzm,$(MULTIGRID_TEXTS)))

# The verbs on the host, once for each type; the coarsest levels' speed is theirs.
MULTIGRID_TYPES := float double
MULTIGRID_VERBS := $(MULTIGRID_TYPES:%=$(B)/kernels/multigrid/verbs_%.o)
$(MULTIGRID_VERBS): $(B)/kernels/multigrid/verbs_%.o: kernels/multigrid/verbs.c
	@mkdir -p $(@D)
	$(COMPILE) -DGZ_T=$* -DGZM_TABLE=gzm_verbs_$* -O3 $(OBJECT)

GZMG_SOURCES := gzmg.c gzmg_options.c gzmg_ranks.c gzmg_result.c
GZMG_OBJECTS := $(GZMG_SOURCES:%.c=$(B)/kernels/multigrid/%.o)
MULTIGRID_SOURCES := cycle.c division.c fused.c launch.c levels.c norm.c open.c problem.c \
                     prolong.c restrict.c share.c sizes.c smooth.c solve.c state.c sweeps.c way.c
MULTIGRID := $(B)/kernels/libmultigrid.a $(B)/kernels/libranks.a
MULTIGRID_OBJECTS := $(MULTIGRID_SOURCES:%.c=$(B)/kernels/multigrid/%.o) $(MULTIGRID_VERBS) \
                     $(B)/kernels/multigrid_texts.o
$(MULTIGRID_OBJECTS) $(GZMG_OBJECTS): | $(B)/kernels/embedded.h $(B)/kernels/multigrid_texts.h
$(eval $(call archive,$(B)/kernels/libmultigrid.a,$(MULTIGRID_OBJECTS)))

PROGRAMS += $(B)/bin/gzmg
MAN_PAGES += kernels/multigrid/gzmg.1
$(B)/bin/gzmg: $(GZMG_OBJECTS) $(MULTIGRID) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)

# Tests, numbers 820 to 829.
MULTIGRID_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/82*.c))
$(MULTIGRID_TESTS): $(MULTIGRID) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
$(MULTIGRID_TESTS): TEST_LIBS = $(MULTIGRID) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
CHECK_DEPS += $(B)/bin/gzmg

# The plain multigrid of a study gets what a compiler can do, on all cores where it has OpenMP.
$(B)/kernels/bench/plain_multigrid.o: OPT := -O3 -g -march=native
$(B)/kernels/bench/plain_multigrid.o: ALL_CFLAGS += $(OPENMP) -ffp-contract=fast -Wno-unknown-pragmas

# libgzmg, for programs with a right-hand side of their own.
GZMG_LIBRARY := $(B)/lib/libgzmg.so
$(B)/kernels/multigrid/libgzmg.o: | $(B)/kernels/embedded.h
$(GZMG_LIBRARY): $(B)/kernels/multigrid/libgzmg.o $(MULTIGRID) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) kernels/multigrid/exports.map
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -shared -Wl,-z,nodelete -Wl,-soname,libgzmg.so.$(OTHER_SOVERSION) -Wl,--version-script=kernels/multigrid/exports.map -o $(NEW) $(filter-out %.map,$^) \
	    $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
	$(call link_to,libgzmg.so,$@.$(OTHER_SOVERSION))
all: $(GZMG_LIBRARY)
CHECK_DEPS += $(GZMG_LIBRARY)
MAN_PAGES += kernels/multigrid/libgzmg.3
OTHER_LIBS += $(GZMG_LIBRARY)
OTHER_HEADERS += kernels/multigrid/gzmg.h
OTHER_PCS += kernels/multigrid/gzmg.pc.in
