"""Students that match tokens, at work: numpy, onnxruntime and tokenizers only."""
