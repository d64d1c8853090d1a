"""What answers requests of other programs: allowed metrics, limits, a fair queue and one thread that scores."""
