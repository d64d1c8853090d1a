"""The types, options, names and errors that every other package uses. It imports no sibling package."""
