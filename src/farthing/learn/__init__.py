"""From a corpus to a cheap metric: pairs, annotate, distil, finetune, export."""
