# plots: one gnuplot script per figure, drawn from the TSV of the study of the same name.

FIGURES := $(foreach format,svg png pdf,$(STUDIES:%=$(STUDY_OUT)/plots/%.$(format)))
CHECK_DEPS += $(STUDY_PROGRAMS) $(STUDY_TSV) $(FIGURES)

$(STUDY_OUT)/plots/%.svg $(STUDY_OUT)/plots/%.png $(STUDY_OUT)/plots/%.pdf: $(STUDY_OUT)/studies/%.tsv plots/%.gp plots/style.gp \
        plots/curves.gp plots/sweep.gp plots/levels.gp plots/draw.gp plots/draw.sh plots/check.awk plots/distinct.awk
	@mkdir -p $(@D)
	plots/draw.sh $* $< $(@D)

all-studies: $(FIGURES)

# make gallery: all figures on one page. Measured ones are of the kept tables.
GALLERY := $(B)/gallery
# A table that both models predict.
GALLERY_VALIDATION := studies/results/pocl-xeon-2core-fifth/validation.tsv
GALLERY_SIMULATED := studies/results/simulated-gt200/validation.tsv
GALLERY_TABLES := $(wildcard $(foreach s,$(DEVICE_STUDIES) gzc_measured ranks_measured,studies/results/*/$(s).tsv))
.PHONY: gallery
gallery: studies $(B)/bin/validate
	@echo 'gallery: the studies of gz2'
	@$(MAKE) --no-print-directory MODEL=gz2 studies
	@echo 'gallery: measured and simulated tables'
	@mkdir -p $(GALLERY)/simulated
	@$(B)/bin/validate $(GALLERY_VALIDATION) -o $(GALLERY) > $(GALLERY)/said
	@$(B)/bin/validate $(GALLERY_SIMULATED) -o $(GALLERY)/simulated > $(GALLERY)/said
	@plots/draw.sh simulated_height $(GALLERY)/simulated/curves.tsv $(GALLERY)
	@set -e; for table in $(GALLERY_TABLES); do \
	    name=$${table##*/}; echo "gallery: $$name"; plots/draw.sh $${name%.tsv} $$table $(GALLERY); done; \
	for figure in $(VALIDATE_FIGURES); do \
	    echo "gallery: validate_$${figure%:*}"; plots/draw.sh validate_$${figure%:*} $(GALLERY)/$${figure#*:}.tsv $(GALLERY); done
	@{ \
	    echo 'Figures of the paper'; \
	    for name in $(sort $(filter fig%,$(STUDIES))); do printf '%s\t%s\n' $(B)/plots/$$name.svg $(B)/studies/$$name.tsv; done; \
	    echo 'Sensitivity by the model of 2011'; \
	    for name in $(sort $(filter-out fig%,$(STUDIES))); do printf '%s\t%s\n' $(B)/plots/$$name.svg $(B)/studies/$$name.tsv; done; \
	    echo 'By gz2'; \
	    for table in $(B)/gz2/studies/*.tsv; do name=$${table##*/}; name=$${name%.tsv}; \
	        printf '%s\t%s\n' $(B)/gz2/plots/$$name.svg $$table; done; \
	    echo 'Measured'; \
	    for table in $(GALLERY_TABLES); do name=$${table##*/}; \
	        printf '%s\t%s\n' $(GALLERY)/$${name%.tsv}.svg $$table; done; \
	    for figure in $(VALIDATE_FIGURES); do \
	        printf '%s\t%s\n' $(GALLERY)/validate_$${figure%:*}.svg $(GALLERY)/$${figure#*:}.tsv; done; \
	    echo 'Simulated'; printf '%s\t%s\n' $(GALLERY)/simulated_height.svg $(GALLERY)/simulated/curves.tsv; \
	} | plots/gallery.sh > $(GALLERY)/page && mv $(GALLERY)/page $(B)/gallery.html
	@echo 'all figures: $(B)/gallery.html'
