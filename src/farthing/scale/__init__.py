"""Engines that score in several processes or on a cluster, and a scorer for other pipelines."""
