# libgzmodel: the library, static and shared, and the gzmodel command.

GZ_VERSION := $(shell sed -n 's/^\#define GZ_VERSION_[A-Z]* //p' libgzmodel/gzmodel.h | paste -sd.)
GZ_SOVERSION := $(firstword $(subst ., ,$(GZ_VERSION)))

ROOMS += libgzmodel libgzmodel/models libgzmodel/models/meng2011 libgzmodel/models/gz2 libgzmodel/tilings libgzmodel/search libgzmodel/front \
         libgzmodel/command

LIB_SRC := $(wildcard libgzmodel/*.c libgzmodel/models/*.c libgzmodel/models/*/*.c libgzmodel/tilings/*.c libgzmodel/search/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o) $(B)/libgzmodel/builtin_data.o
LIB_STATIC := $(B)/lib/libgzmodel.a
LIB_SHARED := $(B)/lib/libgzmodel.so.$(GZ_VERSION)
LIB_LIBS := -lgsl -lgslcblas -ljansson -lm

# The built-in devices and applications, as C strings.
BUILTIN_DATA := $(sort $(wildcard libgzmodel/data/devices/*.json libgzmodel/data/devices/*/*.json)) \
                $(sort $(wildcard libgzmodel/data/apps/*.json libgzmodel/data/networks/*.json)) \
                $(sort $(wildcard calibrate/devices/*/*.json))

$(B)/libgzmodel/builtin_data.c: libgzmodel/embed.sh $(BUILTIN_DATA) $(call changed,$(B)/libgzmodel/builtin_data.c,$(BUILTIN_DATA))
	@mkdir -p $(@D)
	sh libgzmodel/embed.sh $(BUILTIN_DATA) > $(NEW) $(PUT)
	$(call listed,$(BUILTIN_DATA))

$(B)/libgzmodel/builtin_data.o: $(B)/libgzmodel/builtin_data.c
	$(COMPILE) -Wno-overlength-strings $(OBJECT)

$(eval $(call archive,$(LIB_STATIC),$(LIB_OBJ)))

# clang leaves the sanitizers' functions to the program that loads a library.
NO_UNDEFINED := $(if $(SANITIZE),,-Wl,--no-undefined)
$(LIB_SHARED): $(LIB_OBJ)
	@mkdir -p $(@D)
	$(LINK) -shared -Wl,-soname,libgzmodel.so.$(GZ_SOVERSION) $(NO_UNDEFINED) $^ $(LIB_LIBS) $(PUT)
	$(call link_to,$(notdir $@),$(B)/lib/libgzmodel.so.$(GZ_SOVERSION))
	$(call link_to,$(notdir $@),$(B)/lib/libgzmodel.so)

all: $(LIB_STATIC) $(LIB_SHARED)

# What all programs share (the command line, output files, progress, interrupts), which each links.
FRONT := $(B)/libgzmodel/libfront.a
$(eval $(call archive,$(FRONT),$(patsubst %.c,$(B)/%.o,$(wildcard libgzmodel/front/*.c))))

$(B)/bin/gzmodel: $(B)/libgzmodel/command/gzmodel.o $(B)/libgzmodel/command/report.o $(FRONT) \
                  $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(PUT)

PROGRAMS += $(B)/bin/gzmodel

MAN_PAGES += libgzmodel/man/gzmodel.1 libgzmodel/man/libgzmodel.3 libgzmodel/man/gzmodel-files.5 \
             libgzmodel/man/gzmodel.7
SCHEMAS += libgzmodel/schema/device.schema.json libgzmodel/schema/app.schema.json libgzmodel/schema/network.schema.json

# The texts that follow from the table of quantities.
DESCRIBE := $(B)/libgzmodel/describe
$(DESCRIBE): $(B)/libgzmodel/schema/describe.o $(LIB_STATIC)
	$(LINK) $^ $(LIB_LIBS) $(PUT)
CHECK_DEPS += $(DESCRIBE)

.PHONY: texts
texts: $(DESCRIBE)
	for text in device:schema/device.schema.json app:schema/app.schema.json manual:man/gzmodel-files.5 \
	    page:models/gz2/README.md; do \
	    $< $${text%%:*} < libgzmodel/$${text#*:} > $(B)/libgzmodel/text || exit; \
	    cat $(B)/libgzmodel/text > libgzmodel/$${text#*:}; \
	done

# The test of what all programs share is linked with it.
$(B)/t/290-front.t: $(FRONT)
$(B)/t/290-front.t: TEST_LIBS = $(FRONT) $(LIB_STATIC)
