# gzc, which makes stencils of annotated C loops. It needs libclang and isl; without them it is left
# out.

LLVM_INCLUDE ?= $(patsubst %/clang-c/Index.h,%,$(firstword $(wildcard \
                  /usr/lib/llvm-15/include/clang-c/Index.h /usr/include/clang-c/Index.h)))
LLVM_LIBRARY ?= $(patsubst %/include,%/lib,$(LLVM_INCLUDE))
ISL_INCLUDE ?= $(firstword $(wildcard /usr/include/isl/ctx.h /usr/local/include/isl/ctx.h))
GZC_LACKS := $(if $(LLVM_INCLUDE),,libclang-15-dev) $(if $(ISL_INCLUDE),,libisl-dev) \
             $(if $(shell command -v clang-15),,clang-15)

TRANSLATE_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard kernels/translate/*.c kernels/translate/ir/*.c))

ifeq ($(strip $(GZC_LACKS)),)
PROGRAMS += $(B)/bin/gzc
else
all: gzc-left-out
endif

.PHONY: gzc-left-out
gzc-left-out:
	@echo 'gzc is left out, for want of: $(strip $(GZC_LACKS)) (make deps installs them)'

$(TRANSLATE_OBJECTS): ALL_CPPFLAGS += -isystem $(LLVM_INCLUDE)

$(B)/bin/gzc: $(TRANSLATE_OBJECTS) $(B)/kernels/translate/gzc_texts.o $(B)/kernels/libkernels.a \
              $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ -L$(LLVM_LIBRARY) -lclang-15 -lisl $(LIB_LIBS) $(PUT)

# Prints regions back from their intermediate representation, for t/733-gzc-lowering.t.
UNLOWER := $(B)/t/gzc/unlower
$(UNLOWER): $(UNLOWER).o $(filter-out %/main.o,$(TRANSLATE_OBJECTS)) $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	$(LINK) $^ -L$(LLVM_LIBRARY) -lclang-15 -lisl $(LIB_LIBS) $(PUT)
ifeq ($(strip $(GZC_LACKS)),)
CHECK_DEPS += $(UNLOWER)
endif

# A header that clang may lack, beside gzc.
SCHEMAS += kernels/translate/include/omp.h
$(B)/share/gzmodel/omp.h: kernels/translate/include/omp.h
	@mkdir -p $(@D)
	cp $< $(NEW) $(PUT)
$(B)/bin/gzc: | $(B)/share/gzmodel/omp.h

# The texts that gzc writes into what it makes.
CONTRACT := $(B)/kernels/translate/contract/stencil.h
$(CONTRACT): libgzmodel/tilings/shape.h kernels/stencils/stencil.h kernels/translate/row.h
	@mkdir -p $(@D)
	sed '/^#include "/d' $^ > $(NEW) $(PUT)
$(eval $(call embed,kernels/translate/gzc_texts,gzt,$(CONTRACT)))
$(TRANSLATE_OBJECTS): ALL_CPPFLAGS += -I$(B)/kernels/translate
$(TRANSLATE_OBJECTS): | $(B)/kernels/translate/gzc_texts.h

ifeq ($(strip $(GZC_LACKS)),)
MAN_PAGES += kernels/translate/gzc.1
endif

# Programs after gzc against the same ones with OpenMP.
ifeq ($(strip $(GZC_LACKS)),)
$(B)/bench/translated: kernels/bench/translated.sh kernels/bench/translated.c \
                       $(B)/bin/gzc $(B)/bin/gzrun $(GZSTENCIL)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec sh kernels/bench/translated.sh %s "$$@"\n' '$(B)' > $(NEW) && chmod +x $(NEW) $(PUT)
BENCHES += $(B)/bench/translated
endif
