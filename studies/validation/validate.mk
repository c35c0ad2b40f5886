# Validation: measurements on real devices, and the judge of the models on them. `measure` (installed
# as gz-measure) stands on the kernels, `validate` (gz-validate) on libgzmodel.

VALIDATE_SOURCES := $(wildcard studies/validation/*.c)
VALIDATE_OBJ := $(patsubst %,$(B)/studies/validation/%.o,table judge verdict) $(B)/studies/tables.o
MEASURE_OBJ := $(patsubst %,$(B)/studies/validation/%.o,sweep_plan schedule resume table)

PROGRAMS += $(B)/bin/measure $(B)/bin/validate
MAN_PAGES += studies/validation/gz-measure.1 studies/validation/gz-validate.1
$(B)/bin/measure: $(B)/studies/validation/measure.o $(B)/studies/validation/run.o $(MEASURE_OBJ) \
        $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
$(B)/bin/validate: $(patsubst %,$(B)/studies/validation/%.o,validate figures) $(VALIDATE_OBJ) $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(PUT)

$(patsubst %,$(B)/studies/validation/%.o,verdict figures): ALL_CPPFLAGS += -I$(B)/studies
$(patsubst %,$(B)/studies/validation/%.o,verdict figures): | $(B)/studies/tables.h
VALIDATE_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/6*.c))
$(VALIDATE_TESTS): $(VALIDATE_OBJ) $(MEASURE_OBJ) $(B)/kernels/libkernels.a $(FRONT)
$(VALIDATE_TESTS): TEST_LIBS = $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
CHECK_DEPS += $(B)/bin/measure $(B)/bin/validate

# make validate DEVICE=FILE|opencl:0|cuda:0 measures and judges; an address is calibrated first.
# make validate RESUME=1 takes up what an interrupted one left, with its device file as it stands.
# make validate TABLE=FILE judges a stored table, with DEVICE=FILE by another file of the same device
# than the one inside.
VALIDATE := $(B)/validate
VALIDATE_FIGURES := scatter:points points:points block:curves size:curves height:curves \
    components:components models:models
MEASURE_FLAGS ?=
RESUME ?=
JUDGED_TABLE = $(if $(TABLE),$(call quote,$(TABLE)),$(VALIDATE)/measured.tsv)
.PHONY: validate keep-validation validation-verdict
validate: $(B)/bin/measure $(B)/bin/validate $(if $(TABLE)$(RESUME),,$(DEVICE_NEEDS))
	@mkdir -p $(VALIDATE)/plots
ifndef TABLE
# The finished table of an earlier run is replaced; what an interrupted one left is not.
	@force=--force; test ! -e $(VALIDATE)/measured.tsv.partial || force=; \
	$(B)/bin/measure $(DEVICE_ARGS) $(if $(RESUME),--resume,$$force) $(MEASURE_FLAGS) \
	    -o $(VALIDATE)/measured.tsv
endif
	@rm -f $(VALIDATE)/variants.tsv
	@$(B)/bin/validate $(JUDGED_TABLE) $(if $(TABLE),$(if $(AT_HAND),-d $(call quote,$(AT_HAND)))) \
	    -o $(VALIDATE)
	@set -e; for figure in $(VALIDATE_FIGURES) variants:variants; do \
	    table=$(VALIDATE)/$${figure#*:}.tsv; \
	    test ! -e $$table || plots/draw.sh validate_$${figure%:*} $$table $(VALIDATE)/plots; done
	@echo 'figures: $(VALIDATE)/plots/validate_*.svg, and as .png, .pdf'

# make keep-validation NAME=... keeps what `make validate` measured last: its table, and the files of the
# calibrated device and its applications. make validation-verdict then writes the verdicts of all kept
# tables beside them, that of all CPUs' together, and the figure of the first.
NAME ?=
VERDICT_FIRST := pocl-xeon-2core
VERDICT_NAMES = $(patsubst studies/results/%/validation.tsv,%,$(wildcard studies/results/*/validation.tsv))
VERDICT_KEPT := verdict.md models.tsv
KEPT_DEVICE = $(if $(AT_HAND_FILE),$(patsubst %/,%,$(dir $(AT_HAND))),$(CALIBRATED))
keep-validation:
	@case $(call quote,$(NAME)) in ''|[.-]*|*[!A-Za-z0-9._-]*) \
	    echo 'keep-validation: give NAME= of letters, digits, "-", "_" and ".", such as pocl-xeon-2core' >&2; \
	    exit 2 ;; esac
	@mkdir -p studies/results/$(NAME)/device
	cp $(VALIDATE)/measured.tsv studies/results/$(NAME)/validation.tsv
	cp $(KEPT_DEVICE)/*.json studies/results/$(NAME)/device/
	@$(MAKE) --no-print-directory validation-verdict

validation-verdict: $(B)/bin/validate
	@set -e; for name in $(VERDICT_NAMES); do \
	    kept=studies/results/$$name made=$(VALIDATE)/kept/$$name; mkdir -p $$made; \
	    $(B)/bin/validate $$kept/validation.tsv -o $$made >$$made/verdict.txt; \
	    for file in $(VERDICT_KEPT); do test ! -e $$made/$$file || cp $$made/$$file $$kept/; done; done
	@$(B)/bin/validate studies/results/pocl-*/validation.tsv -o $(VALIDATE)/kept >$(VALIDATE)/kept/verdict.txt
	@cp $(VALIDATE)/kept/verdict.md studies/results/
	@plots/draw.sh tuner_regret studies/results/tuner.tsv $(VALIDATE)/kept
	@plots/draw.sh validate_height $(VALIDATE)/kept/$(VERDICT_FIRST)/curves.tsv $(VALIDATE)/kept
	@plots/draw.sh simulated_height $(VALIDATE)/kept/simulated-gt200/curves.tsv $(VALIDATE)/kept
	@cp $(VALIDATE)/kept/validate_height.svg $(VALIDATE)/kept/tuner_regret.svg $(VALIDATE)/kept/simulated_height.svg plots/
