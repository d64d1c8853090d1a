"""The student `base` of Farthing: `frugalscore(size=base)`. Its weights are in the folder `base` beside this file."""
