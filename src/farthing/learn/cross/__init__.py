"""Cross-encoders: two texts read as one."""
