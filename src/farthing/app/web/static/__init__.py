"""The page of `farthing serve`: what the report does not share."""
