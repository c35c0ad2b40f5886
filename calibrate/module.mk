# calibrate: fills device and application files for a device at hand; installed as gz-calibrate.

ROOMS += calibrate calibrate/bench calibrate/cupti

CALIBRATE_TEXTS := $(sort $(wildcard calibrate/bench/*.knl))
CALIBRATE_CUPTI := $(wildcard $(CUDA_INCLUDE:%=%/cupti_range_profiler.h))
CALIBRATE_CUDA := $(if $(CUDA_INCLUDE),query_cuda,query_cuda_absent) \
                  $(addprefix cupti/,$(if $(CALIBRATE_CUPTI),counters cuptilib sass,\
                    counters_absent sass_absent) sass_split)
CALIBRATE_OBJ := $(patsubst %,$(B)/calibrate/%.o,calibration estimate fit bench/microbench paramwrite \
                   profile query oclgrind $(CALIBRATE_CUDA) calibrate_embedded)

$(eval $(call embed,calibrate/calibrate_embedded,gzc,$(CALIBRATE_TEXTS)))

$(B)/calibrate/%.o: ALL_CPPFLAGS += -I$(B)/calibrate
$(B)/calibrate/query_cuda.o: ALL_CPPFLAGS += -isystem $(CUDA_INCLUDE)
$(patsubst %,$(B)/calibrate/cupti/%.o,counters cuptilib sass): ALL_CPPFLAGS += -isystem calibrate/cupti/include -isystem $(CUDA_INCLUDE)
$(CALIBRATE_OBJ): | $(B)/calibrate/calibrate_embedded.h

$(B)/calibrate/libcalibrate.a: $(CALIBRATE_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

PROGRAMS += $(B)/bin/calibrate
MAN_PAGES += calibrate/gz-calibrate.1
$(B)/bin/calibrate: $(B)/calibrate/main.o $(B)/calibrate/libcalibrate.a \
                    $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(KERNEL_LIBS)

# The built-in application files of the stencils that the paper does not have: instructions counted
# by Oclgrind, kept as a table, and the files that follow from it. `make counts` takes a minute;
# after either, make builds the library anew.
CALIBRATE_COUNTS := calibrate/counts/oclgrind.tsv
$(B)/bin/count $(B)/bin/derive: $(B)/bin/%: $(B)/calibrate/%.o $(B)/calibrate/libcalibrate.a \
                                $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(KERNEL_LIBS)
CHECK_DEPS += $(B)/bin/derive

.PHONY: counts apps
counts: $(B)/bin/count $(B)/bin/gzrun
	$< $(CALIBRATE_COUNTS)
apps: $(B)/bin/derive
	$< $(CALIBRATE_COUNTS) libgzmodel/data/apps

# The C tests t/4*.c see what calibrate is made of.
CALIBRATE_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/4*.c))
$(CALIBRATE_TESTS): $(B)/calibrate/libcalibrate.a $(B)/kernels/libkernels.a $(FRONT)
$(CALIBRATE_TESTS): TEST_LIBS = $(B)/calibrate/libcalibrate.a $(B)/kernels/libkernels.a $(FRONT) \
                                $(LIB_STATIC) $(KERNEL_LIBS)

# A CUDA driver and a CUPTI without a GPU, where their headers are there to build them with.
FAKE_FLAGS := -std=c11 $(OPT) $(WARN) -shared -fPIC -fvisibility=hidden -isystem calibrate/cupti/include \
              $(CUDA_INCLUDE:%=-isystem %)
$(B)/t/fakegpu/%: t/fakegpu/%.c t/fakegpu/fake.h
	@mkdir -p $@
	$(CC) $(FAKE_FLAGS) -o $@/$*.so.$(if $(filter libcuda,$*),1,13) $< -ldl
	@touch $@
CHECK_DEPS += $(if $(filter cupti/counters,$(CALIBRATE_CUDA)),$(B)/t/fakegpu/libcuda $(B)/t/fakegpu/libcupti)
CHECK_DEPS += $(B)/bin/calibrate
