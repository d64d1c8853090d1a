"""The metrics: one file or folder per metric."""
