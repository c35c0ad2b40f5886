# Studies that need a device: each writes one TSV from what kernels took, with the model beside it,
# and plots/ holds a figure of the same name. They stand on libkernels and libgzmodel; `make studies`
# knows nothing of them.

DEVICE_STUDIES := jacobi_variants deep_ghost_zones_measured
DEVICE_STUDY_SOURCES := studies/device_study.c $(DEVICE_STUDIES:%=studies/%.c)
DEVICE_STUDY_PROGRAMS := $(DEVICE_STUDIES:%=$(B)/studies/bin/%)

$(DEVICE_STUDY_PROGRAMS): $(B)/studies/bin/%: $(B)/studies/%.o $(B)/studies/device_study.o \
        $(B)/studies/study.o $(B)/kernels/libkernels.a $(CLI_OBJ) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(KERNEL_LIBS)
$(DEVICE_STUDY_SOURCES:%.c=$(B)/%.o): ALL_CPPFLAGS += -Ilibgzmodel/cli -Ikernels
$(B)/studies/bin/deep_ghost_zones_measured: $(B)/studies/smoothers.o $(B)/studies/box_tile.o
CHECK_DEPS += $(DEVICE_STUDY_PROGRAMS)

# make measured DEVICE=FILE|opencl:0|cuda:0 measures and draws; one program after the other, whatever
# -j says, since they would spoil each other's times. STUDY='NAME...' takes only these.
# make measured TABLE=FILE|FOLDER draws stored tables; no device needed.
MEASURED := $(B)/measured
DEVICE_STUDY_FLAGS ?=
STUDY ?= $(DEVICE_STUDIES)
TABLES = $(or $(wildcard $(TABLE:%=%/*.tsv)),$(TABLE),$(STUDY:%=$(MEASURED)/%.tsv))
.PHONY: measured
ifdef TABLE
measured:
else
measured: $(DEVICE_STUDY_PROGRAMS) $(DEVICE_FILE)
	@mkdir -p $(MEASURED)
	@set -e; for study in $(STUDY); do \
	    echo "$$study"; \
	    $(B)/studies/bin/$$study $(DEVICE_ARGS) $(DEVICE_STUDY_FLAGS) -o $(MEASURED)/$$study.tsv; \
	done
endif
	@mkdir -p $(MEASURED)/plots
	@set -e; for table in $(TABLES); do \
	    plots/draw.sh $$(basename $$table .tsv) $$table $(MEASURED)/plots; done
	@echo 'figures: $(MEASURED)/plots/'
