"""Adapters: a few new numbers inside a frozen encoder, which are all that learns."""
