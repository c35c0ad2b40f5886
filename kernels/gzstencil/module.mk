# libgzstencil, which what gzc makes is linked with: the kernels' runtime behind one header. It is
# self-contained but for the system's libraries.

ROOMS += kernels/gzstencil

GZSTENCIL_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard kernels/gzstencil/*.c))
$(GZSTENCIL_OBJECTS): | $(B)/kernels/embedded.h
GZSTENCIL := $(B)/lib/libgzstencil.so
$(GZSTENCIL): $(GZSTENCIL_OBJECTS) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,libgzstencil.so.$(OTHER_SOVERSION) -Wl,--exclude-libs,ALL -o $@ $^ \
	    $(LIB_LIBS) $(KERNEL_LIBS)
	ln -sf libgzstencil.so $@.$(OTHER_SOVERSION)
all: $(GZSTENCIL)
CHECK_DEPS += $(GZSTENCIL)
MAN_PAGES += kernels/gzstencil/libgzstencil.3
OTHER_LIBS += $(GZSTENCIL)
OTHER_HEADERS += kernels/gzstencil/gzstencil.h
OTHER_PCS += kernels/gzstencil/gzstencil.pc.in
