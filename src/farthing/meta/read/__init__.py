"""Human judgements from every layout that people have."""
