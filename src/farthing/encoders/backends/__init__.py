"""What runs an encoder: torch, ONNX, static tables, the embedded students."""
