"""Metrics that judge a whole set, and what they share."""
