"""Kernels over sets of vectors: nearest neighbours, hyperspheres and clusters."""
