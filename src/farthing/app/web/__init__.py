"""The service over HTTP: an application with its page, which `farthing serve` runs."""
