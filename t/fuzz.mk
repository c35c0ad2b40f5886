# The fuzzers: t/fuzz_NAME.c states what must hold for a reader on any bytes whatever. The tests run
# each for a few seconds with a driver of our own (t/fuzz_driver.c); `make fuzz` builds them for
# libFuzzer. Either way the readers are compiled with sanitizers if the compiler has them, and linked with
# the library as it is.

FUZZERS := paramfile table words values
FUZZ_FLAGS = -std=c11 $(WARN) -g -O1 $(ROOMS:%=-iquote %) -iquote $(B)/kernels -D_POSIX_C_SOURCE=200809L \
             -Wno-overlength-strings
HAVE_SANITIZERS = $(eval HAVE_SANITIZERS := $(shell echo 'int main(void) { return 0; }' | \
    $(CC) -fsanitize=address,undefined -x c -o /dev/null - 2>/dev/null && echo yes))$(HAVE_SANITIZERS)

# In a variable of its own, since a comma would end the argument of $(if).
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

FUZZ_LIBRARY := $(patsubst %,libgzmodel/%.c,paramfile paramwrite quantities check names fail) \
                $(wildcard libgzmodel/front/*.c) $(LIB_STATIC)
FUZZ_GZRUN := $(patsubst %,kernels/%.c,gzrun/cmdline gzrun/rodinia choose/remember) $(B)/kernels/libkernels.a
FUZZ_paramfile := $(FUZZ_LIBRARY)
FUZZ_table := studies/validation/table.c $(FUZZ_LIBRARY)
FUZZ_words := $(FUZZ_GZRUN) $(FUZZ_LIBRARY)
FUZZ_values := $(FUZZ_GZRUN) $(FUZZ_LIBRARY)

# What the drivers are made of, compiled once for all.
fuzz_objects = $(patsubst %.c,$(B)/fuzz/%.o,$(filter %.c,$(1)))
$(B)/fuzz/%.o: %.c | $(B)/kernels/embedded.h
	@mkdir -p $(@D)
	$(CC) $(FUZZ_FLAGS) -MMD -MP $(if $(HAVE_SANITIZERS),$(FUZZ_SANITIZE)) $(OBJECT)

# $(call fuzzer,NAME): NAME-driver for the tests, NAME for libFuzzer.
define fuzzer
$(B)/fuzz/$(1)-driver: $(call fuzz_objects,t/fuzz_driver.c t/fuzz_$(1).c $(FUZZ_$(1))) $(filter %.a,$(FUZZ_$(1)))
	$$(CC) $$(if $$(HAVE_SANITIZERS),$$(FUZZ_SANITIZE)) -o $$(NEW) $$^ $$(LIB_LIBS) $$(KERNEL_LIBS) $$(PUT)
$(B)/fuzz/$(1): t/fuzz_$(1).c $(FUZZ_$(1)) $(HEADERS)
	@mkdir -p $$(@D)
	clang $$(FUZZ_FLAGS) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -o $$(NEW) $$(filter %.c %.a,$$^) $$(LIB_LIBS) $$(KERNEL_LIBS) $$(PUT)
CHECK_DEPS += $(B)/fuzz/$(1)-driver
endef
HEADERS := $(wildcard t/fuzz.h $(ROOMS:%=%/*.h))
$(foreach name,$(FUZZERS),$(eval $(call fuzzer,$(name))))

fuzz: $(FUZZERS:%=$(B)/fuzz/%)
	@echo 'built; run each for as long as you like, for instance:'
	@for name in $(FUZZERS); do \
	    echo "  mkdir -p $(B)/fuzz/$$name.d && $(B)/fuzz/$$name -max_total_time=600 $(B)/fuzz/$$name.d"; done

# Random programs through gzc and as they stand, as many as wanted: make fuzz-gzc N=100000 SEED=7.
fuzz-gzc: all
	GZ_BUILD='$(abspath $(B))' GZ_SOURCE='$(CURDIR)' sh t/gzc/differ.sh $(or $(SEED),1) $(or $(N),1000)
.PHONY: fuzz-gzc
