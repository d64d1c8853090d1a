"""Farthing's metrics inside other packages: one module per package, which is imported only when it is used."""
