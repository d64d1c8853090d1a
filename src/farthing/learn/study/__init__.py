"""Studies of learned metrics: tables and ablations."""
