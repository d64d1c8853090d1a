"""Students that match tokens: each text is read alone, aligned greedily, and judged by a small head."""
