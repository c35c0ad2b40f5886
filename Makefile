# gzmodel: one non-recursive Makefile. Each folder describes its own files in FOLDER/module.mk;
# everything is built below $(B). `make help` lists the targets for users.

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
ALL_CPPFLAGS = $(ROOMS:%=-iquote %) -D_POSIX_C_SOURCE=200809L -MMD -MP $(CPPFLAGS)
ALL_LDFLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all studies check bench install uninstall deps deps-developer fuzz help clean
all:

# What users give for these is text, of which make runs no part: a $(shell ...) in it stays what it is.
INSTALL_FOLDERS := PREFIX DESTDIR BINDIR LIBDIR INCLUDEDIR MANDIR DATADIR DOCDIR COMPLETIONDIR CMAKEDIR
USER_TEXTS := PREFIX DESTDIR DEVICE TABLE NAME TIME EVIDENCE GLIBC STUDY FACTORS STENCIL
$(foreach v,$(USER_TEXTS),$(if $(filter command environment,$(origin $(v))),$(eval override $(v) := $$(value $(v)))))
$(foreach v,$(INSTALL_FOLDERS),$(if $(filter command,$(origin $(v))),$(eval override $(v) := $$(value $(v)))))

comma := ,
# A text as one word of the shell, whatever is in it.
quote = '$(subst ','\'',$(1))'

# A file is made beside its place and moved there, so that no other make in this folder meets a part of
# it: COMMAND -o $(NEW) ... $(PUT).
NEW = $@.$$$$
PUT = && mv -f $(NEW) $@ || { rm -f $(NEW); false; }
COMPILE = $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fPIC
OBJECT = -MT $@ -MF $(NEW)d -c -o $(NEW) $< && mv -f $(NEW)d $(@:.o=.d) $(PUT)
LINK = $(CC) $(ALL_LDFLAGS) -o $(NEW)
# A link FILE to a name beside it: $(call link_to,NAME,FILE).
link_to = ln -sf $(1) $(2).$$$$ && mv -f $(2).$$$$ $(2)

# What is made of a list is made again once the list is another, though none of its files is newer:
# FILE: $(WORDS) $(call changed,FILE,WORDS), and $(call listed,WORDS) in its recipe. The folder of the build
# may be moved.
changed = $(if $(call same,$(call below_build,$(2)),$(strip $(file <$(1).list))),,FORCE)
below_build = $(strip $(patsubst $(B)/%,%,$(1)))
same = $(and $(findstring x$(1)x,x$(2)x),$(findstring x$(2)x,x$(1)x))
listed = @echo '$(call below_build,$(1))' > $(NEW) && mv -f $(NEW) $@.list
.PHONY: FORCE
FORCE:

# $(eval $(call archive,FILE,OBJECTS))
define archive
$(1): $(2) $(call changed,$(1),$(2))
	@mkdir -p $$(@D)
	rm -f $$(NEW) && $$(AR) rcs $$(NEW) $(2) $$(PUT)
	$$(call listed,$(2))
endef

# What the modules add to:
#   PROGRAMS   programs to build into $(B)/bin and to install
#   TESTS      test programs and scripts, run by prove
#   BENCHES    programs built and run by `make bench`, one after the other
#   CHECK_DEPS whatever the tests need besides themselves
#   CHECK_ALL_DEPS  likewise those of `make check-all` alone
#   MAN_PAGES  manual pages to install, NAME.SECTION
#   OTHER_LIBS, OTHER_HEADERS, OTHER_PCS  libraries besides libgzmodel, NAME.so, their headers, and their
#              NAME.pc.in
#   HELPERS    programs that libraries start, FOLDER/NAME below $(B)/lib and the installed LIBDIR alike
#   SCHEMAS    JSON Schemas and other data to install
#   ROOMS      folders of headers; which room may include which is tested by t/900-house.t
PROGRAMS :=
TESTS :=
BENCHES :=
CHECK_DEPS :=
CHECK_ALL_DEPS :=
MAN_PAGES :=
OTHER_LIBS :=
# The number in their soname: one more when a structure or function of their headers changes.
OTHER_SOVERSION := 4
OTHER_HEADERS :=
OTHER_PCS :=
HELPERS :=
SCHEMAS :=
ROOMS :=

include $(wildcard libgzmodel/module.mk kernels/module.mk kernels/gzstencil/module.mk \
                   kernels/translate/module.mk kernels/multigrid/module.mk kernels/ranks/module.mk calibrate/module.mk studies/module.mk plots/module.mk t/module.mk)

all: $(PROGRAMS)

# Every object is position independent, so one set serves the static and the shared library.
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) $(OBJECT)

bench: all $(BENCHES)
	@set -e; for bench in $(BENCHES); do $$bench; done

clean:
	rm -rf $(B)

# ------------------------------------------------------------------------------------ installation

BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
MANDIR = $(PREFIX)/share/man
DATADIR = $(PREFIX)/share/gzmodel
DOCDIR = $(PREFIX)/share/doc/gzmodel
DOCUMENTS = LICENSE CHANGELOG.md libgzmodel/example/height.c
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions
CMAKEDIR = $(LIBDIR)/cmake
INSTALL ?= install
# Folders that the system's linker searches by default; for others, programs get a path to the library.
LINKER_FOLDERS := /lib /usr/lib /usr/local/lib
RPATH = $(if $(filter $(LINKER_FOLDERS),$(LIBDIR)),,-Wl,-rpath,$${libdir})

# Names that are too common for a PATH.
INSTALLED_NAME = $(if $(filter calibrate measure validate,$(notdir $(1))),gz-)$(notdir $(1))

# Libraries that CMake finds: the name, and what follows lib$(1).so. in the soname and in the file's name.
PACKAGES = gzmodel $(patsubst lib%.so,%,$(notdir $(OTHER_LIBS)))
SONAME_END = $(if $(filter gzmodel,$(1)),$(GZ_SOVERSION),$(OTHER_SOVERSION))
FILE_END = $(if $(filter gzmodel,$(1)),$(GZ_VERSION),$(OTHER_SOVERSION))

# A text with its @NAMES@ filled in.
FILL = sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|' \
           -e 's|@VERSION@|$(GZ_VERSION)|; s|@RPATH@|$(RPATH)|'

INSTALLED_FILES = $(foreach p,$(PROGRAMS),$(BINDIR)/$(call INSTALLED_NAME,$(p))) \
    $(LIBDIR)/libgzmodel.a $(LIBDIR)/libgzmodel.so $(LIBDIR)/libgzmodel.so.$(GZ_SOVERSION) \
    $(LIBDIR)/libgzmodel.so.$(GZ_VERSION) $(LIBDIR)/pkgconfig/gzmodel.pc $(INCLUDEDIR)/gzmodel.h \
    $(addprefix $(INCLUDEDIR)/gzmodel/,parameters.h searches.h) \
    $(foreach p,$(PROGRAMS),$(COMPLETIONDIR)/$(call INSTALLED_NAME,$(p))) \
    $(foreach l,$(PACKAGES),$(addprefix $(CMAKEDIR)/$(l)/$(l),Config.cmake ConfigVersion.cmake)) \
    $(foreach l,$(OTHER_LIBS),$(LIBDIR)/$(notdir $(l)) $(LIBDIR)/$(notdir $(l)).$(OTHER_SOVERSION)) \
    $(HELPERS:$(B)/lib/%=$(LIBDIR)/%) \
    $(foreach h,$(OTHER_HEADERS),$(INCLUDEDIR)/$(notdir $(h))) \
    $(foreach p,$(OTHER_PCS),$(LIBDIR)/pkgconfig/$(basename $(notdir $(p)))) \
    $(foreach m,$(MAN_PAGES),$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m))) \
    $(foreach s,$(SCHEMAS),$(DATADIR)/$(notdir $(s))) \
    $(addprefix $(DOCDIR)/,$(notdir $(DOCUMENTS)))

# Folders are lists to make, and single words to the shell.
NO_FOLDERS := $$ ` " ' \ ; & | < > ( ) [ ] { } * ? !
check_folders = $(foreach v,$(INSTALL_FOLDERS),$(if $(strip $(word 2,$($(v))) $(foreach c,$(NO_FOLDERS),$(findstring $(c),$($(v))))),\
    $(error $(v)=$($(v)): must have no blank in it, and none of $(NO_FOLDERS))))

install: all
	$(check_folders)
	$(INSTALL) -d $(addprefix $(DESTDIR),$(sort $(dir $(INSTALLED_FILES))))
	$(foreach p,$(PROGRAMS),$(INSTALL) -m 755 $(p) \
	    $(DESTDIR)$(BINDIR)/$(call INSTALLED_NAME,$(p)) &&) :
	$(INSTALL) -m 644 $(LIB_STATIC) $(DESTDIR)$(LIBDIR)/libgzmodel.a
	$(INSTALL) -m 755 $(LIB_SHARED) $(DESTDIR)$(LIBDIR)/$(notdir $(LIB_SHARED))
	ln -sf $(notdir $(LIB_SHARED)) $(DESTDIR)$(LIBDIR)/libgzmodel.so.$(GZ_SOVERSION)
	ln -sf $(notdir $(LIB_SHARED)) $(DESTDIR)$(LIBDIR)/libgzmodel.so
	$(INSTALL) -m 644 libgzmodel/gzmodel.h $(DESTDIR)$(INCLUDEDIR)/gzmodel.h
	$(INSTALL) -m 644 $(wildcard libgzmodel/gzmodel/*.h) $(DESTDIR)$(INCLUDEDIR)/gzmodel
	$(foreach l,$(PACKAGES),for file in Config ConfigVersion; do \
	    $(FILL) -e 's|@MAJOR@|$(GZ_SOVERSION)|; s|@NAME@|$(l)|g' \
	        -e 's|@FILE@|lib$(l).so.$(call FILE_END,$(l))|; s|@SONAME@|lib$(l).so.$(call SONAME_END,$(l))|' \
	        libgzmodel/$$file.cmake.in > $(DESTDIR)$(CMAKEDIR)/$(l)/$(l)$$file.cmake && \
	    chmod 644 $(DESTDIR)$(CMAKEDIR)/$(l)/$(l)$$file.cmake || exit 1; done &&) :
	$(foreach p,$(PROGRAMS),$(p) --completion > \
	    $(DESTDIR)$(COMPLETIONDIR)/$(call INSTALLED_NAME,$(p)) &&) :
	$(foreach l,$(OTHER_LIBS),$(INSTALL) -m 755 $(l) $(DESTDIR)$(LIBDIR)/$(notdir $(l)).$(OTHER_SOVERSION) && \
	    ln -sf $(notdir $(l)).$(OTHER_SOVERSION) $(DESTDIR)$(LIBDIR)/$(notdir $(l)) &&) :
	$(foreach h,$(HELPERS),$(INSTALL) -m 755 $(h) $(DESTDIR)$(h:$(B)/lib/%=$(LIBDIR)/%) &&) :
	$(foreach h,$(OTHER_HEADERS),$(INSTALL) -m 644 $(h) $(DESTDIR)$(INCLUDEDIR) &&) :
	$(foreach p,libgzmodel/gzmodel.pc.in $(OTHER_PCS),$(FILL) $(p) \
	    > $(DESTDIR)$(LIBDIR)/pkgconfig/$(basename $(notdir $(p))) && \
	    chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/$(basename $(notdir $(p))) &&) :
	$(foreach m,$(MAN_PAGES),$(INSTALL) -m 644 $(m) \
	    $(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m)))/ &&) :
	$(if $(SCHEMAS),$(INSTALL) -m 644 $(SCHEMAS) $(DESTDIR)$(DATADIR))
	$(INSTALL) -m 644 $(DOCUMENTS) $(DESTDIR)$(DOCDIR)

uninstall:
	$(check_folders)
	rm -f $(addprefix $(DESTDIR),$(INSTALLED_FILES))
	-rmdir $(DESTDIR)$(DATADIR) $(DESTDIR)$(DOCDIR) $(DESTDIR)$(INCLUDEDIR)/gzmodel $(PACKAGES:%=$(DESTDIR)$(CMAKEDIR)/%) \
	    $(dir $(HELPERS:$(B)/lib/%=$(DESTDIR)$(LIBDIR)/%))

# Debian packages in $(B)/deb (libgzmodel/packaging/README.md).
.PHONY: deb
deb: all
	rm -rf $(B)/deb
	$(MAKE) -s install PREFIX=/usr DESTDIR='$(abspath $(B))/deb/tree'
	sh libgzmodel/packaging/deb.sh $(B)/deb/tree $(GZ_VERSION) $(B)/deb
	rm -rf $(B)/deb/tree

# ------------------------------------------------------------------------------------ dependencies

# Debian packages, by what needs them. Build, figures and tests:
DEPS_NEEDED = build-essential pkg-config libgsl-dev libjansson-dev ocl-icd-opencl-dev \
              opencl-headers pocl-opencl-icd gnuplot-nox perl libjson-validator-perl mandoc \
              clang-15 libclang-15-dev libisl-dev libopenmpi-dev openmpi-bin
# and what checks the sources: other compiler, sanitizers and fuzzer, memory checker, linter, style.
DEPS_DEVELOPER = clang libclang-rt-14-dev valgrind cppcheck clang-format oclgrind jq shellcheck librsvg2-bin netpbm

# The first, as others call them; gzc needs LLVM 15.
DEPS_ELSEWHERE = \
    'Fedora, RHEL (EPEL): gcc make pkgconf gsl-devel jansson-devel ocl-icd-devel opencl-headers pocl gnuplot perl mandoc clang15-devel isl-devel' \
    'SLES, openSUSE:      gcc make pkg-config gsl-devel libjansson-devel ocl-icd-devel opencl-headers pocl gnuplot perl mandoc clang15-devel isl-devel' \
    'Arch:                base-devel gsl jansson ocl-icd opencl-headers pocl gnuplot perl mandoc clang15 libisl'

# Installs those of the packages $(1) that are missing.
define install_packages
	@if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then \
	    echo "no apt-get here; what is needed, by its names in Debian:" $(1) >&2; \
	    printf '%s\n' $(DEPS_ELSEWHERE) >&2; exit 1; \
	fi; \
	missing=; \
	for package in $(1); do \
	    dpkg-query -W -f '$${Status}' "$$package" 2>/dev/null | grep -q ' installed$$' || \
	        missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then echo "nothing is missing"; exit 0; fi; \
	echo "missing:$$missing"; \
	as_root=; \
	if [ "$$(id -u)" -ne 0 ]; then \
	    command -v sudo >/dev/null || \
	        { echo "installing needs root or sudo: apt-get install$$missing" >&2; exit 1; }; \
	    as_root=sudo; \
	fi; \
	$$as_root apt-get update && \
	    $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing
endef

deps:
	$(call install_packages,$(DEPS_NEEDED))

deps-developer:
	$(call install_packages,$(DEPS_NEEDED) $(DEPS_DEVELOPER))

# -------------------------------------------------------------------------------------------- help

help:
	@printf '%s\n' \
	'make                  build everything that this machine can build, below build/' \
	'make studies          regenerate every figure from nothing (DEVICE=FILE: for another device)' \
	'make gallery         all figures with their captions on one page, build/gallery.html' \
	'make check            run the tests' \
	'make check-all        run all tests with all cases: in bulk, by both compilers' \
	'make validate         measure on a device and judge the model (DEVICE=opencl:0, TABLE=FILE)' \
	'make measured         time the studies that need a device (DEVICE=opencl:0, TABLE=FILE)' \
	'make bench            run the benchmarks' \
	'make bundle           one folder that runs where nothing can be installed' \
	'make evidence         what a device can tell in a given time (DEVICE=cuda:0 TIME=9m)' \
	'make install          install programs, library, header, pkg-config file, manual pages' \
	'make uninstall        remove them again' \
	'make deb              build Debian packages of them in build/deb' \
	'make deps             install what building, figures and tests need (Debian)' \
	'make deps-developer   likewise, with sanitizers, valgrind, cppcheck, clang-format, oclgrind' \
	'make fuzz             build the fuzzer of the file reader, to run by hand (clang)' \
	'make clean            remove what was built' \
	'' \
	'Variables, with their defaults:' \
	$(call quote,  B=$(B)  where to build        CC=$(CC)  CFLAGS=$(CFLAGS)  OPT=$(OPT)) \
	$(call quote,  SANITIZE=$(SANITIZE)          address$(comma)undefined say (with a B of its own)) \
	$(call quote,  PREFIX=$(PREFIX)  DESTDIR=$(DESTDIR)  LIBDIR=$(LIBDIR)  MANDIR=$(MANDIR)) \
	$(call quote,  DEVICE=$(DEVICE)  device of the studies: a built-in name or a file)

# What each object was compiled from, which the compiler wrote down. As -MP gives missing headers an
# empty rule, so do missing sources get one here: a source that has moved since, or that make writes
# now, stops no build in an older folder, and its object is compiled anew.
DEPENDENCIES := $(shell find $(B) -name '*.d' -type f 2>/dev/null)
-include $(DEPENDENCIES)
COMPILED := $(if $(DEPENDENCIES),$(sort $(shell grep -oh '[^ ]*[.]c\>' $(DEPENDENCIES))))
$(filter-out $(wildcard $(COMPILED)),$(COMPILED)):
