"""One training loop for every kind of model that learns, and what it writes and says."""
