# Both models on tables that others measured (w7800), and on kept ones of a CPU (kept).

SECOND_PROGRAMS := $(STUDY_BIN)/w7800 $(STUDY_BIN)/kept
$(SECOND_PROGRAMS): $(STUDY_BIN)/%: $(B)/studies/validation/%.o \
        $(VALIDATE_OBJ) $(STUDY_OBJ) $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)
CHECK_DEPS += $(SECOND_PROGRAMS)

# make second-model judges the second model beside the first on the tables in studies/results, and
# draws; make keep-second-model keeps the verdicts there. The cache of the two-core Xeon effectively
# holds some 60 MB, where its driver reports 105.
SECOND := $(B)/second
SECOND_TABLES := amd-w7800 pocl-xeon-2core
SECOND_RUN_amd-w7800 = w7800 studies/results/amd-w7800/hotspot.csv
SECOND_RUN_pocl-xeon-2core = kept studies/results/pocl-xeon-2core/validation.tsv 60e6
.PHONY: second-model keep-second-model
second-model: $(SECOND_PROGRAMS)
	@set -e; $(foreach t,$(SECOND_TABLES),mkdir -p $(SECOND)/$(t); \
	    $(STUDY_BIN)/$(SECOND_RUN_$(t)) $(SECOND)/$(t); \
	    plots/draw.sh second_points $(SECOND)/$(t)/points.tsv $(SECOND)/$(t); \
	    plots/draw.sh second_verdict $(SECOND)/$(t)/verdict.tsv $(SECOND)/$(t); \
	    echo '$(SECOND)/$(t)/: verdict.tsv, parameters.tsv, points.tsv, second_points.svg, second_verdict.svg';)
keep-second-model: second-model
	@set -e; $(foreach t,$(SECOND_TABLES),mkdir -p studies/results/$(t)/gz2; \
	    cp $(SECOND)/$(t)/verdict.tsv $(SECOND)/$(t)/parameters.tsv studies/results/$(t)/gz2/;)

# The second model's studies: one program each in studies/second, one table, one figure. They need a
# device that the model describes: DEVICE, or the H200 in the place of the paper's. (devices compares all.)
ROOMS += studies/second
SECOND_SHARED := studies/second/today.c
SECOND_STUDIES := $(patsubst studies/second/%.c,%,$(filter-out $(SECOND_SHARED),$(wildcard studies/second/*.c)))
SECOND_DEVICE ?= $(if $(filter gtx280,$(DEVICE)),h200,$(DEVICE))
SECOND_STUDY_PROGRAMS := $(SECOND_STUDIES:%=$(STUDY_BIN)/second/%)
$(SECOND_STUDY_PROGRAMS): $(STUDY_BIN)/second/%: $(B)/studies/second/%.o \
        $(SECOND_SHARED:%.c=$(B)/%.o) $(STUDY_OBJ) $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)
CHECK_DEPS += $(SECOND_STUDY_PROGRAMS)
.PHONY: second-studies
second-studies: $(SECOND_STUDY_PROGRAMS) $(B)/bin/validate
	@mkdir -p $(SECOND)/plots
	@set -e; for study in $(SECOND_STUDIES); do \
	    $(STUDY_BIN)/second/$$study --device '$(SECOND_DEVICE)' -o $(SECOND)/$$study.tsv; \
	    plots/draw.sh second_$$study $(SECOND)/$$study.tsv $(SECOND)/plots; done
# Streamed tiles, measured beside predicted: of the kept tables that have them.
	@set -e; for table in studies/results/*/validation.tsv; do \
	    name=$${table#studies/results/}; name=$${name%/*}; \
	    grep -q '	stream	' $$table || continue; mkdir -p $(SECOND)/$$name; \
	    $(B)/bin/validate $$table -o $(SECOND)/$$name > $(SECOND)/$$name/validate.txt; \
	    plots/draw.sh second_variants $(SECOND)/$$name/variants.tsv $(SECOND)/$$name; \
	    echo "figure: $(SECOND)/$$name/second_variants.svg"; done
	@echo 'figures: $(SECOND)/plots/second_*.svg, .png, .pdf'
