# studies: one program a study, each writing one TSV about $(DEVICE); those that vary one parameter or the
# height are one program, sweep. plots/module.mk draws them. `make studies` ends with the table of targets; `make
# studies MODEL=gz2` makes, below $(B)/gz2, those studies that gz2 has.

ROOMS += studies studies/validation
MODEL ?= meng2011

STUDY_SHARED := $(patsubst %,studies/%.c,study paper simulate smoothers box_tile tile_share)
include studies/calibrated.mk studies/validation/validate.mk studies/measured.mk
SWEEPS := $(shell sed -n 's/^ *{gzs_\(.*\)_txt,.*/\1/p' studies/sweep.c)
STUDY_SOURCES := $(filter-out $(STUDY_SHARED) $(VALIDATE_SOURCES) $(DEVICE_STUDY_SOURCES) \
                              studies/study_main.c studies/targets.c studies/sweep.c, $(wildcard studies/*.c))
# The texts that describe them, which also state their models.
STUDY_TEXTS := $(wildcard studies/tables/*.txt)
$(eval $(call embed,studies/tables,gzs,$(STUDY_TEXTS)))
studies_of = $(patsubst studies/tables/%.txt,%,$(shell grep -lx 'models: $(1)' $(STUDY_TEXTS)))
GZ2_ALONE := $(call studies_of,gz2)
ifeq ($(MODEL),gz2)
STUDY_OUT := $(B)/gz2
STUDIES := $(GZ2_ALONE) $(call studies_of,meng2011 gz2)
STUDY_ARGS = --device $(call quote,$(if $(filter gtx280,$(DEVICE)),h200,$(DEVICE))) \
             $(if $(filter $(GZ2_ALONE),$*),,--model gz2)
else
STUDY_OUT := $(B)
STUDIES := $(filter-out $(GZ2_ALONE),$(patsubst studies/%.c,%,$(STUDY_SOURCES))) $(SWEEPS)
STUDY_ARGS = --device $(call quote,$(DEVICE))
endif
STUDY_BIN := $(B)/studies/bin
STUDY_TSV := $(STUDIES:%=$(STUDY_OUT)/studies/%.tsv)
STUDY_PROGRAMS := $(patsubst studies/%.c,$(STUDY_BIN)/%,$(STUDY_SOURCES) studies/targets.c studies/sweep.c)
STUDY_OBJ := $(STUDY_SHARED:%.c=$(B)/%.o) $(B)/studies/tables.o
$(patsubst %.c,$(B)/%.o,$(wildcard studies/*.c)): ALL_CPPFLAGS += -I$(B)/studies
$(patsubst %.c,$(B)/%.o,$(wildcard studies/*.c)): | $(B)/studies/tables.h
.PHONY: study-programs
study-programs: $(STUDY_PROGRAMS) $(DEVICE_STUDY_PROGRAMS)

$(STUDY_SOURCES:studies/%.c=$(STUDY_BIN)/%): $(B)/studies/study_main.o
$(STUDY_PROGRAMS): $(STUDY_BIN)/%: $(B)/studies/%.o $(STUDY_OBJ) \
                   $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $^ $(LIB_LIBS) $(PUT)

# The device that the outputs are about, by name and by content. When it changes, everything about
# the old one goes at once, so that a run that fails half-way leaves no mixture.
STUDY_DEVICE := $(STUDY_OUT)/studies/device
$(STUDY_DEVICE): FORCE
	@mkdir -p $(@D)
	@{ printf '%s\n' $(call quote,$(DEVICE)); \
	    test ! -f $(call quote,$(DEVICE)) || cat $(call quote,$(DEVICE)) "$$(dirname $(call quote,$(DEVICE)))"/*.json 2>/dev/null; } > $@.$$$$; \
	new=$@.$$$$; if cmp -s $$new $@; then rm $$new; else \
	    rm -f $(@D)/*.tsv $(STUDY_OUT)/plots/*.svg $(STUDY_OUT)/plots/*.png $(STUDY_OUT)/plots/*.pdf; mv $$new $@; fi

STUDY_SWEPT := $(patsubst %,$(STUDY_OUT)/studies/%.tsv,$(filter $(SWEEPS),$(STUDIES)))
$(STUDY_SWEPT): $(STUDY_OUT)/studies/%.tsv: $(STUDY_BIN)/sweep $(STUDY_DEVICE)
	$< $* $(STUDY_ARGS) -o $@
$(filter-out $(STUDY_SWEPT),$(STUDY_TSV)): $(STUDY_OUT)/studies/%.tsv: $(STUDY_BIN)/% $(STUDY_DEVICE)
	$< $(STUDY_ARGS) -o $@

# Two runs in one tree take turns, since they write the same files, perhaps for two devices.
STUDY_LOCK := $(if $(shell command -v flock),flock $(STUDY_OUT)/lock)
# (The programs are built before, by the make that may build the library for other goals, too.)
studies: $(STUDY_PROGRAMS)
	+@mkdir -p $(STUDY_OUT); $(STUDY_LOCK) $(MAKE) --no-print-directory all-studies
.PHONY: all-studies
all-studies: $(STUDY_BIN)/targets $(STUDY_TSV)
ifneq ($(MODEL),gz2)
	@rm -f $(B)/studies/targets.tsv
	@$< --device $(call quote,$(DEVICE)) -o $(B)/studies/targets.tsv
endif

# The kernels' test of the smoothers holds them to the same Table 1.1.
$(B)/t/305-smoothers.t: $(B)/studies/smoothers.o
include studies/evidence/evidence.mk
