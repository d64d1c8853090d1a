"""Texts to vectors: one protocol over torch, ONNX and static encoders, and the engine that feeds them."""
