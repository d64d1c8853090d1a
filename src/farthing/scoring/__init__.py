"""The flow: metrics over systems, stretch by stretch, then the comparison of the results."""
