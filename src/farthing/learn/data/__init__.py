"""Texts, pairs and judgements that students learn from."""
