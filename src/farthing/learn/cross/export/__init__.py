"""A trained student becomes a folder that scores without torch, with the proof that both agree."""
