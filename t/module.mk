# t: the tests and the benchmarks. A C test t/NNN-name.c becomes $(B)/t/NNN-name.t; a shell test is
# t/NNN-name.t itself. t/README says what the numbers mean. Other modules may add to TEST_LIBS,
# CHECK_DEPS and BENCHES.

ROOMS += t

TEST_C := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/[0-9]*.c))
TEST_SH := $(wildcard t/[0-9]*.t)
TEST_LIBS ?=
TESTS += $(sort $(TEST_C) $(TEST_SH))

# What several tests share, in an archive so that each takes only what it calls.
TEST_HELPERS := $(B)/t/libtest.a
$(eval $(call archive,$(TEST_HELPERS),$(patsubst %,$(B)/t/%.o,reference cases gz2_cases tile_reference generic ways)))

$(TEST_C): $(B)/t/%.t: $(B)/t/%.o $(TEST_HELPERS) $(LIB_STATIC)
	$(LINK) $^ $(TEST_LIBS) $(LIB_LIBS) $(PUT)

$(TEST_C:.t=.o): OPT = -O1 -g
$(B)/t/050-threads.t: TEST_LIBS += -pthread

# Tests that compare with the reference mix double and long double on purpose.
REFERENCE_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(shell grep -l '"reference.h"' t/[0-9]*.c))
$(REFERENCE_TESTS:.t=.o) $(B)/t/reference.o: ALL_CFLAGS += -Wno-double-promotion

include t/fuzz.mk

# What t/810-scarce.t runs programs under; sanitizers bring a malloc of their own.
$(B)/t/failing-malloc.so: $(B)/t/failing-malloc.o
	$(CC) $(ALL_LDFLAGS) -shared -o $(NEW) $^ $(PUT)
$(B)/t/full-disk: $(B)/t/full-disk.o
	$(LINK) $^ $(PUT)
# The library without the program that tries kernels, but with MPI's exchange: compile_inside in tap.sh.
$(B)/t/inside/libgzstencil.so.2:
	@mkdir -p $(@D)
	ln -sfn ../../lib/gzmodel $(@D)/gzmodel
	ln -sf ../../lib/libgzstencil.so $@
CHECK_DEPS += $(B)/t/inside/libgzstencil.so.2
# What t/815-idle.t runs programs under.
$(B)/t/idle-opencl.so: $(B)/t/idle-opencl.o
	$(CC) $(ALL_LDFLAGS) -shared -o $(NEW) $^ -ldl $(PUT)
CHECK_DEPS += $(if $(SANITIZE),,$(B)/t/failing-malloc.so $(B)/t/idle-opencl.so) $(B)/t/full-disk

# OpenCL's drivers, of which PoCL compiles faster.
VENDORS := $(B)/t/opencl/vendors
$(VENDORS): t/pocl.sh $(wildcard /etc/OpenCL/vendors/*.icd) | $(B)/bin/gzrun
	sh $< $(@D) $(B)/bin/gzrun
CHECK_DEPS += $(VENDORS)

# Tables that 653 and 654 share.
H200_TABLES := $(patsubst %,$(B)/t/h200/%.tsv,ranks ranks_levels vcycle)
$(H200_TABLES): $(B)/t/h200/%.tsv: $(B)/studies/bin/%
	@mkdir -p $(@D)
	$< --device h200 -o $@
CHECK_DEPS += $(H200_TABLES)

BENCH_MODEL := $(B)/bench/model
$(BENCH_MODEL): $(B)/t/bench_model.o $(TEST_HELPERS) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(PUT)
BENCHES += $(BENCH_MODEL)
CHECK_DEPS += $(BENCH_MODEL)

PROVE ?= prove
TEST_ENV = GZ_BUILD='$(abspath $(B))' GZ_SOURCE='$(CURDIR)' POCL_CACHE_DIR='$(abspath $(B))/pocl' \
           XDG_CACHE_HOME='$(abspath $(B))/cache' OCL_ICD_VENDORS='$(or $(OCL_ICD_VENDORS),$(abspath $(VENDORS)))'

# What `make check` leaves to `make check-all`, which runs every test, with all its cases.
LONG_TESTS := 241-deb
LONG_TESTS += 266-readme
LONG_TESTS += 321-gzc-nvrtc
LONG_TESTS += 323-ring-registers
LONG_TESTS += 340-oclgrind
LONG_TESTS += 357-local-limits
LONG_TESTS += 370-measured
LONG_TESTS += 476-second-pocl
LONG_TESTS += 545-make
LONG_TESTS += 546-lists
LONG_TESTS += 570-multigrid-studies
LONG_TESTS += 620-measure-pocl
LONG_TESTS += 630-bundle
LONG_TESTS += 640-evidence
LONG_TESTS += 641-evidence-steps
LONG_TESTS += 655-gzc-measured
LONG_TESTS += 731-gzc-differential
LONG_TESTS += 734-gzc-sizes
LONG_TESTS += 826-multigrid-oclgrind
LONG_TESTS += 843-ranks-oclgrind
LONG_TESTS += 844-gzmg-ranks
LONG_TESTS += 845-gzstencil-ranks
LONG_TESTS += 930-compilers
tests_of = $(foreach name,$(1),$(filter %/$(name).t,$(TESTS)))

# The slowest first, so that none of them is left to run alone in the end; first those of `check-all`.
SLOW_TESTS := 826-multigrid-oclgrind 950-analysis 731-gzc-differential 340-oclgrind 843-ranks-oclgrind 266-readme \
              323-ring-registers 357-local-limits 930-compilers 370-measured 321-gzc-nvrtc 735-gzc-silent \
              822-multigrid-device 310-correct 842-gzrun-ranks 780-gzc-plans 440-calibrate-cuda \
              350-cuda-driver 800-hostile 823-gzmg 337-gzrun-tune 760-gzc-model 785-gzc-callers 788-gzc-original \
              736-gzc-flags 815-idle 723-gzc-programs 653-gz2-studies 654-studies-page 474-quantities 230-refusals
SORTED_TESTS = $(call tests_of,$(SLOW_TESTS)) $(filter-out $(call tests_of,$(SLOW_TESTS)),$(TESTS))

.PHONY: tests check-all check-asan check-threads check-valgrind cppcheck format
tests: $(TEST_C)

check: all tests $(CHECK_DEPS)
	@$(TEST_ENV) $(PROVE) -j$$(nproc) $(PROVE_FLAGS) $(filter-out $(call tests_of,$(LONG_TESTS)),$(SORTED_TESTS))
check-all: all tests $(CHECK_DEPS) $(CHECK_ALL_DEPS)
	@$(TEST_ENV) GZ_ALL=$(or $(GZ_ALL),1) $(PROVE) -j$$(nproc) $(PROVE_FLAGS) $(SORTED_TESTS)

# The same under sanitizers, in a build of their own; without what the OpenCL driver keeps, and without
# a stack for signals, which LLVM in PoCL replaces in the threads that compile.
check-asan:
	+ASAN_OPTIONS=use_sigaltstack=0 LSAN_OPTIONS='suppressions=$(CURDIR)/t/lsan.supp:print_suppressions=0' \
	    $(MAKE) B='$(B)/asan' SANITIZE=address,undefined check
check-threads:
	+$(MAKE) B='$(B)/tsan' SANITIZE=thread '$(B)/tsan/t/050-threads.t' '$(B)/tsan/lib/libgzstencil.so' \
	    '$(B)/tsan/lib/gzstencil/compile'
	SANITIZE=thread GZ_BUILD='$(abspath $(B))/tsan' GZ_SOURCE='$(CURDIR)' POCL_CACHE_DIR='$(abspath $(B))/pocl' \
	    $(PROVE) '$(B)/tsan/t/050-threads.t' t/785-gzc-callers.t

# Valgrind has no long double of its own (it computes with doubles), so tests that need the
# reference are left out; and so are those that load a driver or a vendor's compiler, whose errors
# would be reported; compiling kernels takes very long there, too.
DRIVER_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(shell grep -l -e '"test_device.h"' -e 'nvrtc.h"' \
    -e '"oclgrind.h"' -e '"counters.h"' -e gzk_device_open t/[0-9]*.c))
VALGRIND_TESTS = $(filter-out $(REFERENCE_TESTS) $(DRIVER_TESTS),$(TEST_C))
check-valgrind: $(VALGRIND_TESTS) all $(CHECK_DEPS)
	$(TEST_ENV) $(PROVE) -j$$(nproc) --timer $(PROVE_FLAGS) \
	    --exec 'valgrind -q --error-exitcode=9 --leak-check=full' $(VALGRIND_TESTS)

FOLDERS = libgzmodel kernels calibrate studies t
cppcheck:
	cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr $(ROOMS:%=-I%) \
	    --enable=warning,performance,portability --suppress=missingIncludeSystem \
	    --suppress=ctuuninitvar \
	    $$(find $(FOLDERS) -name "*.c")

format:
	clang-format -i $$(find $(FOLDERS) -name "*.[ch]")
