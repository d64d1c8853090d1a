"""Texts into token ids."""
