# Both models on tables that others measured (w7800), and on kept ones of a CPU (kept).

SECOND_PROGRAMS := $(STUDY_BIN)/w7800 $(STUDY_BIN)/kept
$(SECOND_PROGRAMS): $(STUDY_BIN)/%: $(B)/studies/validation/%.o \
        $(VALIDATE_OBJ) $(STUDY_OBJ) $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)
CHECK_DEPS += $(SECOND_PROGRAMS)

# make second-model judges the second model beside the first on the tables in studies/results, and
# draws; make keep-second-model keeps the verdicts there.
SECOND := $(B)/second
SECOND_TABLES := amd-w7800 pocl-xeon-2core-fifth
SECOND_RUN_amd-w7800 = w7800 studies/results/amd-w7800/hotspot.csv
SECOND_RUN_pocl-xeon-2core-fifth = kept studies/results/pocl-xeon-2core-fifth/validation.tsv -
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

# Streamed tiles, measured beside predicted, of the kept tables that have them.
.PHONY: streamed
streamed: $(B)/bin/validate
	@set -e; for table in studies/results/*/validation.tsv; do \
	    name=$${table#studies/results/}; name=$${name%/*}; \
	    grep -q '	stream	' $$table || continue; mkdir -p $(SECOND)/$$name; \
	    $(B)/bin/validate $$table -o $(SECOND)/$$name > $(SECOND)/$$name/validate.txt; \
	    plots/draw.sh second_variants $(SECOND)/$$name/variants.tsv $(SECOND)/$$name; \
	    echo "figure: $(SECOND)/$$name/second_variants.svg"; done
