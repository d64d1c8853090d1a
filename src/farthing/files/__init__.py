"""Texts from files and scores to files: every format in, every format out, nothing half-written."""
