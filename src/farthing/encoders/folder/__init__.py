"""A model's folder: find it, describe it, export it."""
