"""The types, protocols and names that every other room speaks. It imports no sibling."""
