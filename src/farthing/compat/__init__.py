"""Drop-in twins of other packages, for scripts that use those."""
