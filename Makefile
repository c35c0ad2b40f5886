# gzmodel: one non-recursive Makefile. Each folder describes its own files in FOLDER/module.mk;
# everything is built below $(B). `make help` lists what a user may ask for.

B ?= build
CC ?= cc
CXX ?= c++
PREFIX ?= /usr/local
DESTDIR ?=
DEVICE ?= gtx280

OPT ?= -O2 -g
SANITIZE ?=
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wstrict-prototypes \
       -Wmissing-prototypes
CFLAGS ?=
ALL_CFLAGS = -std=c11 $(OPT) $(WARN) -fvisibility=hidden -ffp-contract=off \
             $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) $(CFLAGS)
ALL_CPPFLAGS = -Ilibgzmodel -D_POSIX_C_SOURCE=200809L -MMD -MP $(CPPFLAGS)
ALL_LDFLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all studies check bench install deps help clean
all:

# What the modules add to:
#   PROGRAMS   programs to build into $(B)/bin and to install
#   TESTS      test programs and scripts, run by prove
#   BENCHES    commands run by `make bench`, one after the other
#   CHECK_DEPS whatever the tests need besides themselves
PROGRAMS :=
TESTS :=
BENCHES :=
CHECK_DEPS :=

include $(wildcard libgzmodel/module.mk kernels/module.mk calibrate/module.mk studies/module.mk \
                   plots/module.mk t/module.mk)

all: $(PROGRAMS)

# Every object is position independent, so one set serves the static and the shared library.
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fPIC -c -o $@ $<

clean:
	rm -rf $(B)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
