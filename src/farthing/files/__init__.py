"""Reading texts from files and writing scores to files; no file is ever left half-written."""
