# calibrate: fills device and application files for a device at hand; installed as gz-calibrate.

CALIBRATE_OBJ := $(B)/calibrate/estimate.o
$(B)/calibrate/libcalibrate.a: $(CALIBRATE_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

# The C tests t/4*.c see what calibrate is made of.
CALIBRATE_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/4*.c))
$(CALIBRATE_TESTS): $(B)/calibrate/libcalibrate.a $(B)/kernels/libkernels.a
$(CALIBRATE_TESTS): ALL_CPPFLAGS += -Icalibrate -Ikernels
$(CALIBRATE_TESTS): TEST_LIBS = $(B)/calibrate/libcalibrate.a $(B)/kernels/libkernels.a \
                                $(LIB_STATIC) $(KERNEL_LIBS)
