"""Sources of training pairs, one table for every learner, and the recipes that mix them."""
