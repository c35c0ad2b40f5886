# plots: one gnuplot script per figure, drawn from the TSV of the study of the same name.

FIGURES := $(foreach format,svg png pdf,$(STUDIES:%=$(STUDY_OUT)/plots/%.$(format)))
CHECK_DEPS += $(STUDY_PROGRAMS) $(STUDY_TSV) $(FIGURES)

$(STUDY_OUT)/plots/%.svg $(STUDY_OUT)/plots/%.png $(STUDY_OUT)/plots/%.pdf: $(STUDY_OUT)/studies/%.tsv plots/%.gp plots/style.gp \
        plots/curves.gp plots/sweep.gp plots/draw.gp plots/draw.sh plots/check.awk plots/distinct.awk
	@mkdir -p $(@D)
	plots/draw.sh $* $< $(@D)

studies: $(FIGURES)
