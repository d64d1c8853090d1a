"""What metrics cost, measured beside what they are worth: time, memory, size and energy (Larionov et al. 2023)."""
