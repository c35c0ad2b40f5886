# The kernels: stencils, backends, runner, and the program `gzrun`.
# A stencil is NAME.c and NAME.knl in kernels/stencils; nothing lists them but the wildcard.

ROOMS += kernels/stencils kernels/runtime kernels/choose kernels/gzrun

KERNEL_TEXTS := $(wildcard kernels/stencils/*.knl kernels/device/*)
STENCILS := $(sort $(basename $(notdir $(wildcard kernels/stencils/*.knl))))
STENCIL_SOURCES := $(STENCILS:%=kernels/stencils/%.c)

# The CUDA headers: CUDA_HOME, the usual place, or pkg-config's; without them, a stand-in is built.
CUDA_INCLUDE ?= $(firstword $(patsubst %/cuda.h,%,$(wildcard $(CUDA_HOME:%=%/include/cuda.h) \
                  /usr/local/cuda/include/cuda.h)) \
                  $(patsubst -I%,%,$(filter -I%,$(shell pkg-config --cflags cuda 2>/dev/null))))
CUDA_BACKEND := $(if $(CUDA_INCLUDE),backend_cuda nvrtc,backend_cuda_absent)

CUDA_ONLY := backend_cuda nvrtc backend_cuda_absent
RUNTIME := $(filter-out $(CUDA_ONLY),$(basename $(notdir $(wildcard kernels/runtime/*.c))))
KERNEL_OBJECTS := $(patsubst %,$(B)/kernels/runtime/%.o,$(RUNTIME) $(CUDA_BACKEND)) \
                  $(patsubst %.c,$(B)/%.o,$(wildcard kernels/choose/*.c)) \
                  $(B)/kernels/embedded.o $(B)/kernels/stencils.o $(STENCIL_SOURCES:%.c=$(B)/%.o)
KERNEL_LIBS := -lm -ldl -pthread
GZRUN_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard kernels/gzrun/*.c))

$(B)/kernels/%.o: ALL_CPPFLAGS += -I$(B)/kernels
$(B)/kernels/runtime/backend_cuda.o $(B)/kernels/runtime/nvrtc.o: ALL_CPPFLAGS += -isystem $(CUDA_INCLUDE)

# The references are what `make bench` calls the plain serial C loop, so they get what a compiler
# can do.
$(STENCIL_SOURCES:%.c=$(B)/%.o): OPT := -O3 -g

# $(call embed,BASE,PREFIX,TEXTS): the rules that compile texts into BASE.o, declared in BASE.h.
define embed
$(B)/$(1).c $(B)/$(1).h &: kernels/runtime/embed.sh $(3) $(call changed,$(B)/$(1).c,$(3))
	@mkdir -p $$(@D)
	sh kernels/runtime/embed.sh $(B)/$(1) $(2) $(3)
	@echo '$(call below_build,$(3))' > $(B)/$(1).c.$$$$$$$$ && mv -f $(B)/$(1).c.$$$$$$$$ $(B)/$(1).c.list
$(B)/$(1).o: $(B)/$(1).c $(B)/$(1).h
	$$(COMPILE) $$(OBJECT)
endef
$(eval $(call embed,kernels/embedded,gzk,$(KERNEL_TEXTS)))

$(B)/kernels/stencils.c: kernels/runtime/registry.sh $(call changed,$(B)/kernels/stencils.c,$(STENCILS))
	@mkdir -p $(@D)
	sh kernels/runtime/registry.sh $(STENCILS) > $(NEW) $(PUT)
	$(call listed,$(STENCILS))
$(B)/kernels/stencils.o: $(B)/kernels/stencils.c
	$(COMPILE) $(OBJECT)

# A stencil from outside as a shared object: make stencil STENCIL=FOLDER/NAME.c, beside NAME.knl.
STENCIL ?=
STENCIL_NAME := $(basename $(notdir $(STENCIL)))
STENCIL_OBJECT := $(B)/outside/$(STENCIL_NAME)
.PHONY: stencil
stencil:
	@test -n '$(STENCIL)' || { echo 'which one? make stencil STENCIL=FOLDER/NAME.c' >&2; exit 2; }
	@mkdir -p $(B)/outside
	sh kernels/runtime/embed.sh $(STENCIL_OBJECT) gzk $(STENCIL:%.c=%.knl)
	$(CC) -iquote kernels/stencils -iquote libgzmodel/tilings $(ALL_CFLAGS) -fPIC -shared -o $(STENCIL_OBJECT).$$$$ \
	    $(STENCIL) $(STENCIL_OBJECT).c && mv -f $(STENCIL_OBJECT).$$$$ $(STENCIL_OBJECT).so

$(KERNEL_OBJECTS) $(GZRUN_OBJECTS): | $(B)/kernels/embedded.h

$(eval $(call archive,$(B)/kernels/libkernels.a,$(KERNEL_OBJECTS)))

PROGRAMS += $(B)/bin/gzrun
MAN_PAGES += kernels/gzrun/gzrun.1
$(GZRUN_OBJECTS): | $(B)/kernels/ranks_texts.h
$(B)/bin/gzrun: $(GZRUN_OBJECTS) $(B)/kernels/libranks.a $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)

# Tests, numbers 300 to 399. A program in C is linked with the kernels; a script gets the programs.
KERNEL_TEST_SOURCES := $(wildcard t/3*.c)
KERNEL_TEST_PROGRAMS := $(KERNEL_TEST_SOURCES:%.c=$(B)/%.t)

$(KERNEL_TEST_PROGRAMS): $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
$(KERNEL_TEST_PROGRAMS): TEST_LIBS = $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
CHECK_DEPS += $(KERNEL_TEST_PROGRAMS) $(B)/bin/gzrun

$(B)/t/gzrun-counts: $(B)/t/gzrun-counts.o $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	$(LINK) $^ $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
CHECK_DEPS += $(B)/t/gzrun-counts
CHECK_DEPS += $(patsubst %,$(B)/bench/%,correct streams)

# Every stencil in every way against the serial reference; what `make evidence` runs.
$(B)/bench/correct: kernels/bench/correct.sh $(B)/bin/gzrun
	@mkdir -p $(@D)
	cp $< $(NEW) && chmod +x $(NEW) $(PUT)

# Streamed tiles against plain loops, which get what a compiler can do, on all cores where it has
# OpenMP. The test for a flag runs at its first use.
taken = $(shell echo 'int main(void) { return 0; }' | $(CC) $(1) -x c - -o /dev/null 2>/dev/null && echo $(1))
OPENMP = $(eval OPENMP := $(call taken,-fopenmp))$(OPENMP)
NARROW = $(eval NARROW := $(call taken,-mprefer-vector-width=256))$(NARROW)
PLAIN_OBJECTS := $(patsubst %,$(B)/kernels/bench/%.o,plain plain-narrow plain_host)
$(PLAIN_OBJECTS): OPT := -O3 -g -march=native
$(PLAIN_OBJECTS): ALL_CFLAGS += $(OPENMP) -ffp-contract=fast
$(B)/kernels/bench/plain.o: ALL_CFLAGS += -DPLAIN_LOOPS=plain_loops
$(B)/kernels/bench/plain-narrow.o: ALL_CFLAGS += -DPLAIN_LOOPS=plain_narrow_loops $(NARROW)
$(B)/kernels/bench/plain-narrow.o: kernels/bench/plain.c
	@mkdir -p $(@D)
	$(COMPILE) $(OBJECT)
$(B)/kernels/bench/streams.o: | $(B)/kernels/embedded.h
$(B)/bench/streams: $(B)/kernels/bench/streams.o $(PLAIN_OBJECTS) $(B)/kernels/libkernels.a $(FRONT) \
                    $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) $(OPENMP) -o $(NEW) $^ $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
BENCHES += $(B)/bench/streams
