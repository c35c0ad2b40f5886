# The bundle, one folder that runs where nothing can be installed, and what a device can tell.

BUNDLE := $(B)/bundle
BUNDLE_TESTS := $(patsubst %,$(B)/t/%.t,308-random 310-correct 315-found 316-fence 318-adaptive \
                  352-diskcache 432-stretches 822-multigrid-device)
# By the names that they have there.
BUNDLE_PROGRAMS = $(foreach p,gzmodel gzrun gzmg calibrate measure validate,$(p)=$(B)/bin/$(p)) \
                  $(foreach p,$(DEVICE_STUDIES),$(p)=$(B)/studies/bin/$(p)) \
                  correct=$(B)/bench/correct
# What programs after gzc need; and stencils that gzc has made.
BUNDLE_STENCIL = $(GZSTENCIL) $(GZSTENCIL_COMPILE) \
                 $(patsubst kernels/translate/example/%.c,$(B)/rows/%.so,$(wildcard kernels/translate/example/*.c))
BUNDLE_FILES := $(wildcard studies/evidence/*) $(wildcard calibrate/devices/*/*.json) \
                $(wildcard libgzmodel/data/*/*.json) LICENSE

# make bundle GLIBC=2.28 makes one for systems with a C library as old as that: zig's C compiler brings
# the headers and stubs of every glibc, and the other libraries are linked statically; they cannot be
# in a shared library, so libgzstencil is left out.
GLIBC ?=
ZIG ?= zig
OLDER := $(B)/glibc-$(GLIBC)
STATIC = $(foreach l,gsl gslcblas jansson,$(shell cc -print-file-name=lib$(l).a))
OLDER_CFLAGS = -Wno-enum-float-conversion -idirafter /usr/include \
               -idirafter /usr/include/$(shell cc -print-multiarch)

.PHONY: bundle evidence keep-evidence
# What an interrupted make deletes would be a part of a whole folder.
.PRECIOUS: $(BUNDLE)/README
ifeq ($(strip $(GLIBC)),)
bundle: $(BUNDLE)/README
else
bundle:
	@command -v '$(firstword $(ZIG))' > /dev/null || \
	    { echo 'bundle: GLIBC=$(GLIBC) needs zig (ziglang.org); ZIG=... says where it is' >&2; exit 2; }
	+$(MAKE) B='$(OLDER)' GLIBC= CC='$(ZIG) cc -target $(shell uname -m)-linux-gnu.$(GLIBC)' \
	    CFLAGS='$(CFLAGS) $(OLDER_CFLAGS)' LIB_LIBS='$(STATIC) -lm' BUNDLE_STENCIL= bundle
endif
$(B)/rows/%.so: kernels/translate/example/%.c $(B)/bin/gzc
	@mkdir -p $(@D)
	$(B)/bin/gzc --row $< -o $@
$(BUNDLE)/README: $(patsubst %,$(B)/bin/%,gzmodel gzrun gzmg calibrate measure validate) $(DEVICE_STUDY_PROGRAMS) \
                  $(B)/bench/correct $(BUNDLE_TESTS) $(BUNDLE_FILES) \
                  $(BUNDLE_STENCIL) kernels/gzstencil/gzstencil.h
	@studies/evidence/bundle.sh $(BUNDLE) '$(firstword $(BUNDLE_STENCIL))' $(BUNDLE_PROGRAMS) -- $(BUNDLE_TESTS)

# make evidence DEVICE=cuda:0 TIME=9m collects what the device can tell, in the time given, and goes on
# when it is called again. EVIDENCE is the folder of the results; EVIDENCE_FLAGS go to the script.
TIME ?= 9m
EVIDENCE ?= $(B)/evidence
EVIDENCE_FLAGS ?=
# What a user gives reaches the shell as values, never as text.
evidence keep-evidence: export GZ_AT := $(AT_HAND)
evidence keep-evidence: export GZ_TIME := $(TIME)
evidence keep-evidence: export GZ_OUT := $(EVIDENCE)
evidence keep-evidence: export GZ_NAME := $(NAME)
evidence: bundle
	@test "$$GZ_AT" || { echo 'evidence: give DEVICE=cuda:0 or opencl:0' >&2; exit 2; }
	@$(BUNDLE)/evidence -d "$$GZ_AT" -t "$$GZ_TIME" -o "$$GZ_OUT" $(EVIDENCE_FLAGS) || test $$? -eq 3

CHECK_ALL_DEPS += $(BUNDLE)/README

# make keep-evidence NAME=... files them in studies/results.
keep-evidence:
	@studies/evidence/keep.sh "$$GZ_OUT" "$$GZ_NAME"
