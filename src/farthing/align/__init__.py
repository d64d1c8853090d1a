"""Pure numeric kernels that match one weighted cloud of vectors with another."""
