"""Pure numeric kernels that match one cloud of vectors with another."""
