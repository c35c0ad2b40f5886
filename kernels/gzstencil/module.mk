# libgzstencil, which what gzc makes is linked with: the kernels' runtime behind one header. It is
# self-contained but for the system's libraries.

ROOMS += kernels/gzstencil

GZSTENCIL_OBJECTS := $(patsubst %.c,$(B)/%.o,$(filter-out kernels/gzstencil/compile.c,$(wildcard kernels/gzstencil/*.c)))
$(GZSTENCIL_OBJECTS): | $(B)/kernels/embedded.h
GZSTENCIL := $(B)/lib/libgzstencil.so
$(GZSTENCIL): $(GZSTENCIL_OBJECTS) $(B)/kernels/libranks.a $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) kernels/gzstencil/exports.map
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -shared -Wl,-z,nodelete -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -Wl,-soname,libgzstencil.so.$(OTHER_SOVERSION) -Wl,--version-script=kernels/gzstencil/exports.map -o $(NEW) $(filter-out %.map,$^) \
	    $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
	$(call link_to,libgzstencil.so,$@.$(OTHER_SOVERSION))
# Beside it: kernels are compiled in this process first.
GZSTENCIL_COMPILE := $(B)/lib/gzstencil/compile
$(GZSTENCIL_COMPILE): $(B)/kernels/gzstencil/compile.o $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/..' -o $(NEW) $^ $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
all: $(GZSTENCIL) $(GZSTENCIL_COMPILE)
CHECK_DEPS += $(GZSTENCIL) $(GZSTENCIL_COMPILE)
HELPERS += $(GZSTENCIL_COMPILE)
MAN_PAGES += kernels/gzstencil/libgzstencil.3
OTHER_LIBS += $(GZSTENCIL)
OTHER_HEADERS += kernels/gzstencil/gzstencil.h
OTHER_PCS += kernels/gzstencil/gzstencil.pc.in

# The decision alone, without a device.
$(B)/t/787-gzc-way.t: $(B)/kernels/gzstencil/way.o $(B)/kernels/gzstencil/settings.o $(B)/kernels/libkernels.a $(FRONT)
$(B)/t/787-gzc-way.t: TEST_LIBS = $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
$(B)/t/793-gzc-arrays.t: $(B)/kernels/gzstencil/arrays.o $(B)/kernels/libkernels.a
$(B)/t/793-gzc-arrays.t: TEST_LIBS = $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
