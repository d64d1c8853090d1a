"""One file a source of training pairs."""
