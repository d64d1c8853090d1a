"""Kernels over two sets of vectors: nearest neighbours, spheres, clusters."""
