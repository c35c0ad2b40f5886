# Validation: measurements on real devices, and the judge of the model on them. `measure` (installed
# as gz-measure) stands on the kernels, `validate` (gz-validate) on libgzmodel alone, as the studies
# do.

VALIDATE_SOURCES := $(wildcard studies/validation/*.c)
VALIDATE_OBJ := $(patsubst %,$(B)/studies/validation/%.o,table judge second both)
MEASURE_OBJ := $(patsubst %,$(B)/studies/validation/%.o,sweep_plan schedule resume table)

PROGRAMS += $(B)/bin/measure $(B)/bin/validate
MAN_PAGES += studies/validation/gz-measure.1 studies/validation/gz-validate.1
$(B)/bin/measure: $(B)/studies/validation/measure.o $(B)/studies/validation/run.o $(MEASURE_OBJ) \
        $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS) $(KERNEL_LIBS)
$(B)/bin/validate: $(patsubst %,$(B)/studies/validation/%.o,validate verdict figures sheet sides variants) \
        $(VALIDATE_OBJ) $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

VALIDATE_TESTS := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/6*.c))
$(VALIDATE_TESTS): $(VALIDATE_OBJ) $(MEASURE_OBJ) $(B)/kernels/libkernels.a $(FRONT)
$(VALIDATE_TESTS): TEST_LIBS = $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC) $(KERNEL_LIBS)
CHECK_DEPS += $(B)/bin/measure $(B)/bin/validate

# make validate DEVICE=FILE|opencl:0|cuda:0 measures and judges; an address is calibrated first.
# make validate RESUME=1 takes up what an interrupted one left, with its device file as it stands.
# make validate TABLE=FILE judges a stored table, with DEVICE=FILE by another file of the same device
# than the one inside.
VALIDATE := $(B)/validate
VALIDATE_FIGURES := scatter:points block:curves size:curves height:curves components:components \
        models:models
MEASURE_FLAGS ?=
FACTORS ?= file
RESUME ?=
# The size of the last cache for the fits to the table's own runs, bytes; -: that of the device file.
VALIDATE_CACHE ?= -
JUDGED_TABLE = $(if $(TABLE),$(call quote,$(TABLE)),$(VALIDATE)/measured.tsv)
.PHONY: validate keep-validation validation-verdict
ifeq ($(suffix $(TABLE)),.csv)
# The table that others measured on a GPU: calibrated on 12 of its points, judged on the rest.
validate: $(B)/studies/bin/w7800
	@mkdir -p $(VALIDATE)/plots
	@$(B)/studies/bin/w7800 $(call quote,$(TABLE)) $(VALIDATE)
	@plots/draw.sh second_points $(VALIDATE)/points.tsv $(VALIDATE)/plots
	@plots/draw.sh second_verdict $(VALIDATE)/verdict.tsv $(VALIDATE)/plots
	@sed '/^#/d' $(VALIDATE)/verdict.tsv | awk -F'\t' -f studies/validation/w7800.awk
	@echo 'figures: $(VALIDATE)/plots/second_*.svg, .png, .pdf'
else
validate: $(B)/bin/measure $(B)/bin/validate $(B)/studies/bin/kept $(if $(TABLE)$(RESUME),,$(DEVICE_NEEDS))
	@mkdir -p $(VALIDATE)/plots
ifndef TABLE
# The finished table of an earlier run is replaced; what an interrupted one left is not.
	@force=--force; test ! -e $(VALIDATE)/measured.tsv.partial || force=; \
	$(B)/bin/measure $(DEVICE_ARGS) $(if $(RESUME),--resume,$$force) $(MEASURE_FLAGS) \
	    -o $(VALIDATE)/measured.tsv
endif
	@$(B)/bin/validate $(JUDGED_TABLE) $(if $(TABLE),$(if $(AT_HAND),-d $(call quote,$(AT_HAND)))) --factors $(call quote,$(FACTORS)) -o $(VALIDATE)
	@set -e; for figure in $(VALIDATE_FIGURES); do \
	    plots/draw.sh validate_$${figure%:*} $(VALIDATE)/$${figure#*:}.tsv $(VALIDATE)/plots; done
	@plots/draw.sh second_points $(VALIDATE)/model_points.tsv $(VALIDATE)/plots
	@test ! -e $(VALIDATE)/variants.tsv || plots/draw.sh second_variants $(VALIDATE)/variants.tsv $(VALIDATE)/plots
# The second model fitted to runs of the table itself: extrapolation, a stencil left out.
	@mkdir -p $(VALIDATE)/fitted && rm -f $(VALIDATE)/fitted/*.tsv
	@echo 'gz2 fitted to runs of the table, judged on others:'
	@if $(B)/studies/bin/kept $(JUDGED_TABLE) $(VALIDATE_CACHE) $(VALIDATE)/fitted; then \
	    sed '/^#/d' $(VALIDATE)/fitted/verdict.tsv | awk -F'\t' -f studies/validation/fitted.awk; \
	else test $$? -eq 2; fi
	@echo 'figures: $(VALIDATE)/plots/validate_*.svg, second_points.svg, and as .png, .pdf'
endif

# make keep-validation NAME=... keeps what `make validate` measured last, its table and the files of
# the calibrated device and its applications, and the models' verdicts. make validation-verdict then
# brings the figure (of the first kept table) and the verdicts of VERDICT_README up to all kept tables; a
# table that the page does not have yet gets a section at its end.
NAME ?=
VERDICT_README := studies/validation/README.md
VERDICT_FIRST := pocl-xeon-2core
VERDICT_NAMES = $(patsubst studies/results/%/validation.tsv,%,$(wildcard studies/results/*/validation.tsv))
KEPT_DEVICE = $(if $(AT_HAND_FILE),$(patsubst %/,%,$(dir $(AT_HAND))),$(CALIBRATED))
keep-validation:
	@case $(call quote,$(NAME)) in ''|[.-]*|*[!A-Za-z0-9._-]*) \
	    echo 'keep-validation: give NAME= of letters, digits, "-", "_" and ".", such as pocl-xeon-2core' >&2; \
	    exit 2 ;; esac
	@mkdir -p studies/results/$(NAME) calibrate/devices/$(NAME)
	cp $(VALIDATE)/measured.tsv studies/results/$(NAME)/validation.tsv
	cp $(KEPT_DEVICE)/*.json calibrate/devices/$(NAME)/
	cp $(VALIDATE)/models.tsv studies/results/$(NAME)/
	@test ! -e $(VALIDATE)/fitted/verdict.tsv || { mkdir -p studies/results/$(NAME)/gz2 && \
	    cp $(VALIDATE)/fitted/verdict.tsv $(VALIDATE)/fitted/parameters.tsv studies/results/$(NAME)/gz2/; }
	@$(MAKE) --no-print-directory validation-verdict

validation-verdict: $(B)/bin/validate
	@set -e; for name in $(VERDICT_NAMES); do \
	    table=studies/results/$$name/validation.tsv; mkdir -p $(VALIDATE)/readme/$$name; \
	    $(B)/bin/validate $$table -o $(VALIDATE)/readme/$$name >$(VALIDATE)/readme/$$name/verdict.txt; \
	    grep -q "^<!-- verdict: of $$table" $(VERDICT_README) || printf '\n## %s\n\n%s\n\n%s\n' \
	        "The table $$name" "<!-- verdict: of $$table, by make validation-verdict -->" \
	        '<!-- end of the verdict -->' >>$(VERDICT_README); done
	@awk -v folder=$(VALIDATE)/readme '/^<!-- end of the verdict -->$$/ { inside = 0 } \
	    !inside { print } /^<!-- verdict: / { inside = 1; print ""; split($$0, part, "/"); \
	    table = folder "/" part[3] "/verdict.md"; \
	    while ((getline line < table) > 0) print line; print "" }' $(VERDICT_README) >$(VALIDATE)/readme/README
	@cp $(VALIDATE)/readme/README $(VERDICT_README)
	@plots/draw.sh validate_height $(VALIDATE)/readme/$(VERDICT_FIRST)/curves.tsv $(VALIDATE)/readme
	@cp $(VALIDATE)/readme/validate_height.svg plots/
