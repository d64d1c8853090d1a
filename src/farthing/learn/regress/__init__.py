"""Estimators: an encoder, a mix of its layers and a head, trained on scores of people or of another metric."""
