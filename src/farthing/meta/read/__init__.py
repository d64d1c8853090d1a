"""Readers of human judgements: one module per format, one door (`formats.read_judgements`) to all of them."""
