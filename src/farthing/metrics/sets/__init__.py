"""Metrics that compare whole sets, and what they share."""
