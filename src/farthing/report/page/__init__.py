"""The report: one file that shows everything that runs on disk hold. Read `content.py`, then `document.py`."""
