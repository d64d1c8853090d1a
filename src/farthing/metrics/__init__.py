"""One file a metric, and the driver that runs several of them over several systems."""
