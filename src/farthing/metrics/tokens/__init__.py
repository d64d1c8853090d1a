"""Metrics over token vectors, and what they share."""
