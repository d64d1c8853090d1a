"""Words, sub-words, n-grams and their weights."""
