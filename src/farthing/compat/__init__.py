"""Drop-in twins of what people have in their scripts already."""
