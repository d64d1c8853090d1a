"""Models that write text or say how likely a text is."""
