# studies: one program a study, each writing one TSV about $(DEVICE); plots/module.mk draws them.
# `make studies` ends with the table of targets.

ROOMS += studies studies/validation

STUDY_SHARED := $(patsubst %,studies/%.c,study paper simulate smoothers box_tile tile_share)
include studies/calibrated.mk studies/validation/validate.mk studies/measured.mk
STUDIES := $(patsubst studies/%.c,%,\
             $(filter-out $(STUDY_SHARED) $(VALIDATE_SOURCES) $(DEVICE_STUDY_SOURCES) studies/targets.c,\
                           $(wildcard studies/*.c)))
STUDY_BIN := $(B)/studies/bin
STUDY_TSV := $(STUDIES:%=$(B)/studies/%.tsv)
STUDY_PROGRAMS := $(patsubst %,$(STUDY_BIN)/%,$(STUDIES) targets)
STUDY_OBJ := $(STUDY_SHARED:%.c=$(B)/%.o)
.PHONY: study-programs
study-programs: $(STUDY_PROGRAMS) $(DEVICE_STUDY_PROGRAMS)

$(STUDY_PROGRAMS): $(STUDY_BIN)/%: $(B)/studies/%.o $(STUDY_OBJ) \
                   $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIB_LIBS)

# The device that the outputs are about, by name and by content. When it changes, everything about
# the old one goes at once, so that a run that fails half-way leaves no mixture.
STUDY_DEVICE := $(B)/studies/device
$(STUDY_DEVICE): FORCE
	@mkdir -p $(@D)
	@{ printf '%s\n' $(call quote,$(DEVICE)); \
	    test ! -f $(call quote,$(DEVICE)) || cat $(call quote,$(DEVICE)) "$$(dirname $(call quote,$(DEVICE)))"/*.json 2>/dev/null; } > $@.$$$$; \
	new=$@.$$$$; if cmp -s $$new $@; then rm $$new; else \
	    rm -f $(@D)/*.tsv $(B)/plots/*.svg $(B)/plots/*.png $(B)/plots/*.pdf; mv $$new $@; fi

.PHONY: FORCE
FORCE:

$(STUDY_TSV): $(B)/studies/%.tsv: $(STUDY_BIN)/% $(STUDY_DEVICE)
	$< --device $(call quote,$(DEVICE)) -o $@

studies: $(STUDY_BIN)/targets $(STUDY_TSV)
	@rm -f $(B)/studies/targets.tsv
	@$< --device $(call quote,$(DEVICE)) -o $(B)/studies/targets.tsv

# The kernels' test of the smoothers holds them to the same Table 1.1.
$(B)/t/305-smoothers.t: $(B)/studies/smoothers.o
include studies/second.mk studies/evidence/evidence.mk
