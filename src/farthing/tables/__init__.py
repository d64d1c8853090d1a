"""A table as text, CSV, LaTeX or plain columns."""
