# libgzmodel: the library, static and shared, and the gzmodel command.

GZ_VERSION := $(shell sed -n 's/^\#define GZ_VERSION_[A-Z]* //p' libgzmodel/gzmodel.h | paste -sd.)
GZ_SOVERSION := $(firstword $(subst ., ,$(GZ_VERSION)))

LIB_SRC := $(wildcard libgzmodel/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o) $(B)/libgzmodel/builtin_data.o
LIB_STATIC := $(B)/lib/libgzmodel.a
LIB_SHARED := $(B)/lib/libgzmodel.so.$(GZ_VERSION)
LIB_LIBS := -lgsl -lgslcblas -ljansson -lm

# The built-in devices and applications, as C strings.
BUILTIN_DATA := $(sort $(wildcard libgzmodel/data/devices/*.json)) \
                $(sort $(wildcard libgzmodel/data/apps/*.json))

$(B)/libgzmodel/builtin_data.c: libgzmodel/embed.sh $(BUILTIN_DATA)
	@mkdir -p $(@D)
	sh libgzmodel/embed.sh $(BUILTIN_DATA) > $@

$(B)/libgzmodel/builtin_data.o: $(B)/libgzmodel/builtin_data.c
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fPIC -Wno-overlength-strings -c -o $@ $<

$(LIB_STATIC): $(LIB_OBJ)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^

$(LIB_SHARED): $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libgzmodel.so.$(GZ_SOVERSION) -Wl,--no-undefined $(ALL_LDFLAGS) \
	    -o $@ $^ $(LIB_LIBS)
	ln -sf $(notdir $@) $(B)/lib/libgzmodel.so.$(GZ_SOVERSION)
	ln -sf $(notdir $@) $(B)/lib/libgzmodel.so

all: $(LIB_STATIC) $(LIB_SHARED)

# The command. What it shares with the project's other programs (the command line, output files) is
# CLI_OBJ; they link it too, with -Ilibgzmodel/cli.
CLI_OBJ := $(B)/libgzmodel/cli/options.o $(B)/libgzmodel/cli/output.o

$(B)/bin/gzmodel: $(B)/libgzmodel/cli/gzmodel.o $(B)/libgzmodel/cli/report.o $(CLI_OBJ) \
                  $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

PROGRAMS += $(B)/bin/gzmodel
