"""Tables as text, CSV, LaTeX, Markdown or HTML."""
