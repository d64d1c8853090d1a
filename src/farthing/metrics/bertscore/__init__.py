"""BERTScore and what belongs to it."""
